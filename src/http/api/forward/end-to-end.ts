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

/** Whether a field is passed on, by its name in lower case; `connection` is the value of that field. */
export function isEndToEnd(name: string, connection = ''): boolean {
  if (HOP_BY_HOP.has(name)) return false
  const named = connection
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
  return NEEDED.has(name) || !named.includes(name)
}
