import type { Form, FormValue, UploadedFile } from '../../schemas/common.js'
import { isObject, objectIn } from '../text/json.js'
import { quote } from '../text/wording.js'
import { suspicionOf, type Violation } from './violation.js'

/** What stands where a program had no value: the whole text, in this case. `Null` may be a surname. */
const PLACEHOLDER = /^(?:undefined|null|NaN|\[object \w+\]|<[^<>]+>|\$?\{+[^{}]*\}+|\$[A-Za-z_]\w*)$/
/** A path variable as routers write it. */
const PATH_VARIABLE = /^:[A-Za-z]\w*$/

/** A UUID as GUIDs are written. */
const BRACED_UUID = /^\{([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}$/i

export function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(value) && !BRACED_UUID.test(value)
}

/** A text without the braces of a GUID. */
export function withoutBraces(value: string): string {
  return value.replace(BRACED_UUID, '$1')
}

type Place = 'path' | 'query' | 'form'

/** Values that are surely slips of the client's program. */
export function slips(values: Readonly<Record<string, unknown>>, part: Place): Violation[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const slip = typeof value === 'string' ? slipOf(name, value, part) : undefined
    return slip === undefined ? [] : suspicionOf({ ...slip, where: `${part}.${name}` })
  })
}

function slipOf(name: string, value: string, part: Place) {
  if (part !== 'path' && jsonIn(value) !== undefined) {
    return {
      code: 'json-value',
      message: `'${name}' is JSON, ${quote(value)}: each of its values must be sent separately.`,
      fix: `Send each value under its own name, or a single one alone: '${name}=…'.`,
    }
  }
  if (BRACED_UUID.test(value)) {
    const fix = `Send ${quote(withoutBraces(value))}.`
    return { code: 'braced-uuid', message: `'${name}' is ${quote(value)}: a UUID has no braces.`, fix }
  }
  if (!isPlaceholder(value) && !(part === 'path' && PATH_VARIABLE.test(value))) return undefined
  return {
    code: 'placeholder-value',
    message: `'${name}' is ${quote(value)}: the client has no value for it when it builds the request.`,
    fix: `Send the value of '${name}', or leave it out if there is none.`,
  }
}

/** What a text surely is as JSON; `[2024]` may be a text of its own. */
export function jsonIn(text: string): object | undefined {
  const value = objectIn(text)
  const isSure = !Array.isArray(value) || value.some((one) => typeof one === 'string' || isObject(one))
  return isSure ? value : undefined
}

/** How text begins that was a file: a data URL, or the base64 of an image or a PDF. */
const FILE_AS_TEXT = /^(?:data:[\w.+-]+\/[\w.+-]+[;,]|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|JVBERi0|PHN2Zy)/

/** Files that are text, or have no name. */
export function oddFiles(form: Form): Violation[] {
  return Object.entries(form).flatMap(([name, value]) =>
    [value as FormValue].flat().flatMap((one) => (typeof one === 'string' ? [] : oddFile(name, one))),
  )
}

function oddFile(name: string, { filename, content }: UploadedFile): readonly Violation[] {
  const where = `form.${name}`
  const beginning = Buffer.from(content.buffer, content.byteOffset, Math.min(64, content.byteLength)).toString('latin1')
  if (FILE_AS_TEXT.test(beginning)) {
    const message = `'${name}' is a file written as text, ${quote(beginning.slice(0, 24))}, instead of its bytes.`
    return [suspicionOf({ code: 'file-as-text', message, where, fix: `Send the bytes: -F '${name}=@FILE'.` })]
  }
  if (filename !== '') return []
  const message = `The part '${name}' has no file name: most servers treat it as a text field.`
  return [suspicionOf({ code: 'nameless-file', message, where, fix: `Send it as a file: -F '${name}=@FILE'.` })]
}
