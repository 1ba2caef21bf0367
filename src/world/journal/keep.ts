import type { Form, FormValue } from '../../../schemas/common.js'

const EMPTY = new Uint8Array()

/** How many characters something may still keep; every text that is kept takes from it. */
export class Allowance {
  #left: number

  constructor(characters: number) {
    this.#left = Math.max(0, characters)
  }

  get left(): number {
    return this.#left
  }

  /** A text as far as it may be kept. */
  text(value: string): string {
    const kept = value.length <= this.#left ? value : copyOf(value, this.#left)
    this.#left -= kept.length
    return kept
  }

  /** A form as far as it may be kept: files by name, size, type and sha256; fields in their order until it is used up. */
  form(form: Form): Form {
    const kept: Record<string, Form[string]> = {}
    for (const [name, value] of Object.entries(form)) {
      if (this.#left === 0) break
      kept[this.text(name)] = Array.isArray(value)
        ? value.slice(0, this.#left).map((one) => this.#value(one))
        : this.#value(value as FormValue)
    }
    return kept
  }

  #value(value: FormValue): FormValue {
    if (typeof value === 'string') return this.text(value)
    return { ...value, filename: this.text(value.filename), mimetype: this.text(value.mimetype), content: EMPTY }
  }
}

/** The beginning of a text, copied: a slice would keep the whole of it alive. */
function copyOf(text: string, length: number): string {
  return Buffer.from(text.slice(0, length)).toString()
}
