import type { Answer } from './oracle.js'

/** The answers in what came over a connection. @throws {Error} for bytes that are no answer */
export function answersIn(received: Buffer): Answer[] {
  const answers: Answer[] = []
  for (let rest = received; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...fields] = rest.toString('latin1', 0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3})( |$)/.exec(line)?.[1])
    if (end < 0 || Number.isNaN(status))
      throw new Error(`this is no answer: ${JSON.stringify(rest.toString('latin1'))}`)
    const headers = Object.fromEntries(fields.map(pairOf))
    rest = rest.subarray(end + 4)
    // Node's own answers are chunked, and empty.
    const chunked = headers['transfer-encoding'] === 'chunked' && rest.toString('latin1', 0, 5) === '0\r\n\r\n'
    if (chunked) rest = rest.subarray(5)
    const length = Number(headers['content-length'] ?? 0)
    // The answer to HEAD has a length and no body.
    const bodiless = length > 0 && (rest.length === 0 || rest.toString('latin1', 0, 9) === 'HTTP/1.1 ')
    if (!bodiless && rest.length < length) throw new Error(`a body has ${rest.length} of its ${length} bytes`)
    if (status >= 200) answers.push({ status, headers, body: bodiless ? null : rest.toString('utf8', 0, length) })
    rest = rest.subarray(bodiless ? 0 : length)
  }
  return answers
}

function pairOf(field: string): [string, string] {
  const colon = field.indexOf(':')
  return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()]
}
