/** The entries of a dictionary by their names, each value as it is written. */
export type Dictionary = ReadonlyMap<string, string>

/** The dictionary that a text begins with; undefined where there is none, or where it does not end. */
export function readDictionary(text: string): Dictionary | undefined {
  const entries = new Map<string, string>()
  let depth = 0
  let name: string | undefined
  let value: string[] = []
  const endEntry = () => {
    if (name !== undefined) entries.set(name, value.join(' '))
    value = []
  }
  for (const token of tokensOf(text)) {
    if (token === '>>' || token === ']') depth--
    if (depth === 0 && token === '>>') {
      endEntry()
      return entries
    }
    const isName = depth === 1 && token.startsWith('/') && (name === undefined || value.length > 0)
    if (isName) {
      endEntry()
      name = token.slice(1)
    } else if (depth > 0) value.push(token)
    if (token === '<<' || token === '[') depth++
    if (depth <= 0) return undefined
  }
  return undefined
}

/** What stands in a text without blanks and comments, up to where it is no PDF any more. */
export function* tokensOf(text: string): Generator<string> {
  let at = 0
  while (at < text.length) {
    const end = text[at] === '(' ? endOfString(text, at) : endOfToken(text, at)
    if (end === undefined) return
    const token = text.slice(at, end)
    if (!/^[\0\t\n\f\r %]/.test(token)) yield token
    at = end
  }
}

/** One token but a string in round brackets. It matches in one way only, so that no text takes long. */
const TOKEN = /[\0\t\n\f\r ]+|%[^\r\n]*|<<|>>|[[\]]|<[^<>]*>|\/[^\0\t\n\f\r ()<>[\]{}/%]*|[^\0\t\n\f\r ()<>[\]{}/%]+/y

function endOfToken(text: string, start: number): number | undefined {
  TOKEN.lastIndex = start
  return TOKEN.test(text) ? TOKEN.lastIndex : undefined
}

/** Such a string may hold pairs of brackets, and single ones behind a backslash. */
function endOfString(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return undefined
}
