/** Names and values in turn, as they stand on the wire. */
export type RawHeaders = readonly string[]

/** Fields of one connection, which no intermediary passes on (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'transfer-encoding',
  'trailer',
  'upgrade',
  // Node has answered it.
  'expect',
])

/** Without these a message could not be read, or not reach its host, whatever `Connection` names. */
const NEEDED: ReadonlySet<string> = new Set(['content-length', 'host'])

/** What becomes of a field on its way: its value, or undefined where it ends here. */
export type Translate = (name: string, value: string) => string | undefined

/**
 * The fields that are passed on, in their order and spelling, each as `translate` has it; that is asked by the name in
 * lower case.
 */
export function endToEnd(raw: RawHeaders, translate: Translate): string[] {
  const named = namedByConnection(raw)
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string
    const lower = name.toLowerCase()
    if (HOP_BY_HOP.has(lower) || named?.has(lower)) continue
    const value = translate(lower, raw[at + 1] as string)
    if (value !== undefined) kept.push(name, value)
  }
  return kept
}

/** Whether a field of an answer is passed on; `connection` is the value of that field. */
export function isEndToEnd(name: string, connection: string): boolean {
  if (HOP_BY_HOP.has(name)) return false
  const named = connection
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
  return NEEDED.has(name) || !named.includes(name)
}

function namedByConnection(raw: RawHeaders): ReadonlySet<string> | undefined {
  const options = valuesOf(raw, 'connection').flatMap((value) => value.toLowerCase().split(','))
  const named = options.map((one) => one.trim()).filter((one) => !NEEDED.has(one) && !HOP_BY_HOP.has(one))
  return named.length === 0 ? undefined : new Set(named)
}

/** The values of a field, in their order. */
function valuesOf(raw: RawHeaders, wanted: string): string[] {
  const values: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    if ((raw[at] as string).toLowerCase() === wanted) values.push(raw[at + 1] as string)
  }
  return values
}
