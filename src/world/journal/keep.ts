import type { Form, FormValue } from '../../../schemas/common.js'

const EMPTY = new Uint8Array()

/**
 * Bytes that are kept on top of the characters of names and texts, roughly: an entry of an object with its value, and a
 * file's own object with its sha256.
 */
const COSTS = { entry: 100, file: 300 } as const

/** How much something may still keep, in bytes as far as they can be told; everything that is kept takes from it. */
export class ExchangeLimit {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  get left(): number {
    return this.#left
  }

  /** A text as far as it may be kept. */
  text(value: string): string {
    const kept = value.length <= this.#left ? value : copyOf(value, this.#left)
    this.#take(kept.length)
    return kept
  }

  /** A form as far as it may be kept: files by name, size, type and sha256; fields in their order until it is used up. */
  form(form: Form): Form {
    return this.#entries(form, (value: FormValue) => this.#formValue(value))
  }

  /** A query as far as it may be kept. */
  query(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return this.#entries(query, (value) => (typeof value === 'string' ? this.text(value) : value))
  }

  /** Names and values in their order, each one of a list too, until it is used up. */
  #entries<V>(values: Readonly<Record<string, V | readonly V[]>>, keep: (value: V) => V): Record<string, V | V[]> {
    const kept: Record<string, V | V[]> = Object.create(null)
    for (const name in values) {
      const value = values[name] as V | readonly V[]
      if (this.#left === 0) break
      this.#take(COSTS.entry)
      kept[this.text(name)] = Array.isArray(value) ? this.#list(value, keep) : keep(value as V)
    }
    return kept
  }

  #list<V>(values: readonly V[], keep: (value: V) => V): V[] {
    const kept: V[] = []
    for (const value of values) {
      if (this.#left === 0) break
      this.#take(COSTS.entry)
      kept.push(keep(value))
    }
    return kept
  }

  #formValue(value: FormValue): FormValue {
    if (typeof value === 'string') return this.text(value)
    this.#take(COSTS.file)
    return { ...value, filename: this.text(value.filename), mimetype: this.text(value.mimetype), content: EMPTY }
  }

  #take(bytes: number): void {
    this.#left = Math.max(0, this.#left - bytes)
  }
}

/** The beginning of a text, copied: a slice would keep the whole of it alive. */
function copyOf(text: string, length: number): string {
  return Buffer.from(text.slice(0, length)).toString()
}
