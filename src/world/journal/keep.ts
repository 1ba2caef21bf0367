import type { Form, FormValue } from '../../../schemas/common.js'

/** Characters that are kept of each body. */
const MOST_KEPT = 16 * 1024

/** What is shown of a file besides its name and type. */
const COST_OF_FILE = 100

const EMPTY = new Uint8Array()

/** The beginning of a text, copied: a slice would keep the whole of it alive. */
export function keepBeginning(text: string, most = MOST_KEPT): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString()
}

/** A form as far as it is kept: its first fields, and files by name, size, type and sha256. */
export function keepForm(form: Form): { readonly kept: Form; readonly isCut: boolean } {
  let left = MOST_KEPT
  let isCut = false
  const take = (text: string) => {
    const kept = keepBeginning(text, left)
    left -= kept.length
    isCut ||= kept !== text
    return kept
  }
  const keep = (value: FormValue): FormValue => {
    if (typeof value === 'string') return take(value)
    const { filename, mimetype, size, sha256 } = value
    left = Math.max(0, left - COST_OF_FILE)
    return { filename: take(filename), mimetype: take(mimetype), size, sha256, content: EMPTY }
  }
  const keepList = (values: readonly FormValue[]) => {
    const list: FormValue[] = []
    for (const value of values) if (left > 0) list.push(keep(value))
    isCut ||= list.length < values.length
    return list
  }
  const kept: Record<string, FormValue | FormValue[]> = Object.create(null)
  for (const [name, value] of Object.entries(form)) {
    if (left === 0) return { kept, isCut: true }
    kept[take(name)] = Array.isArray(value) ? keepList(value) : keep(value as FormValue)
  }
  return { kept, isCut }
}
