import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isClockTime } from '../../schemas/clock-time.js'
import { NO_CONTROL_CHARACTERS } from '../../schemas/common.js'
import { EMPTY_OR } from '../../schemas/emptiness.js'
import { jsonOr } from '../text/json.js'

/** The text form of RFC 9562, without `urn:uuid:`. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * One local part and one domain, in letters of any script: no white space, quotes, brackets or control characters, and
 * in a domain no ASCII character that host names do not have, but the underscore.
 */
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f-\u009f]+@[^\s\u0000-,/:-@[-^`{-\u009f.]+(\.[^\s\u0000-,/:-@[-^`{-\u009f.]+)*$/u

function isEmail(value: string): boolean {
  const at = value.indexOf('@')
  return value.length <= 254 && at <= 64 && !/^\.|\.\.|\.@/.test(value) && EMAIL.test(value)
}

function isJson(value: string): boolean {
  return jsonOr(value, undefined) !== undefined
}

function isClock(value: string): boolean {
  return value === 'real' || isClockTime(value)
}

/** What the formats of schemas are. */
export const formats = {
  'date-time': fullFormats['date-time'],
  uri: fullFormats.uri,
  email: isEmail,
  uuid: UUID,
  json: isJson,
  clock: isClock,
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const SAYS_SOMETHING = /[^\u0000-\u0020\u007f-\u00a0]/

/** What `NO_CONTROL_CHARACTERS` says, in two looks: as one pattern it runs out of stack on texts of many megabytes. */
function isLine(text: string): boolean {
  return !CONTROL.test(text) && SAYS_SOMETHING.test(text)
}

/** A pattern that is looked for by other means; checks know it by its text. */
const looked = (pattern: string, test: (text: string) => boolean) => ({ test, toString: () => pattern })

/** How the patterns of schemas are looked for. Ajv asks for a `code`, which is for checks that are written to files. */
export const regExp = Object.assign(
  (pattern: string, flags: string) => {
    if (pattern === NO_CONTROL_CHARACTERS) return looked(pattern, isLine)
    if (pattern === EMPTY_OR + NO_CONTROL_CHARACTERS) return looked(pattern, (text) => text === '' || isLine(text))
    return new RegExp(pattern, flags)
  },
  { code: 'regExp' },
)
