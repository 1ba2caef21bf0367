import { bodySchema } from '../../schemas/bodies.js'
import { type Contract, isSuccess, type Response } from '../../schemas/contract.js'
import type { ErrorBody } from '../../schemas/errors.js'
import { jsonOr } from '../text/json.js'
import { quote } from '../text/wording.js'
import { checkOf, type Departure } from '../validation/check.js'
import { bodyDeviation, undeclaredStatus } from '../validation/deviations.js'
import type { Probe } from './probes.js'
import type { ProviderResponse } from './send.js'

/** One thing that an answer does otherwise than the contract. */
export interface Finding {
  /** `failed` where the document says so, `differs` where only our reading does. */
  readonly outcome: 'differs' | 'failed'
  /** The place in the answer, such as `status` or `body.data.role`. */
  readonly where: string
  readonly message: string
  /** The interpretation that is departed from, where it has a number. */
  readonly reading?: string
}

/** Takes what must not be printed out of a value before it is quoted. */
export type Redact = (value: unknown) => unknown

/** Everything that an answer does otherwise than its probe expects. */
export function checkAnswer(probe: Probe, answer: ProviderResponse, redact: Redact): readonly Finding[] {
  const status = checkStatus(probe, answer, redact)
  // The body of another outcome says nothing about the one that was asked for.
  if (status.some(({ outcome }) => outcome === 'failed')) return status
  return [...status, ...checkContent(probe, answer, redact)]
}

function checkStatus(probe: Probe, answer: ProviderResponse, redact: Redact): readonly Finding[] {
  const { contract, status: expected } = probe
  const { status } = answer
  if (status === expected) return []
  const reading = otherReading(probe, status)
  const message = `The status is ${status}, not ${expected}.`
  if (reading !== undefined) return [{ outcome: 'differs', where: 'status', message, reading }]
  const declared = status in contract.responses ? [] : [undeclaredStatus(contract, status).message]
  const words = [message, ...declared, ...says(answer, redact), ...advice(probe, answer, redact)]
  return [{ outcome: 'failed', where: 'status', message: words.join(' ') }]
}

/** The interpretation by which another status is wrong, or undefined where it is the document. */
function otherReading({ contract, status: expected, otherwise }: Probe, status: number): string | undefined {
  if (otherwise[status] !== undefined) return otherwise[status]
  const response = contract.responses[expected] as Response
  // Where the document shows a success, it shows the body alone; where the body is not shown, the status is.
  if (isSuccess(response)) return isSuccessful(status) && response.provenance === 'shown' ? 'I-01' : undefined
  if (response.provenance === 'assumed' && status >= 400) return assumedBy(contract)
  return undefined
}

const isSuccessful = (status: number) => status >= 200 && status < 300

const NUMBER = /I-\d\d/

/** The interpretation that the contract names for what the document leaves open. */
function assumedBy({ responses }: Contract): string {
  const named = Object.values(responses).find(
    ({ provenance, description }) => provenance !== 'shown' && NUMBER.test(description),
  )
  return NUMBER.exec(named?.description ?? '')?.[0] ?? 'I-02'
}

/** What the provider says about an outcome that was not expected. */
function says({ text }: ProviderResponse, redact: Redact): string[] {
  const body = jsonOr(text, undefined) as
    | { error?: { message?: unknown }; message?: unknown; detail?: unknown }
    | null
    | undefined
  const said = body?.error?.message ?? body?.message ?? body?.detail ?? text.trim()
  return said === '' ? [] : [`It says ${quote(redact(said))}.`]
}

/** What the user can do about a status that was not expected. */
function advice(
  { contract, status: expected }: Probe,
  { status, location }: ProviderResponse,
  redact: Redact,
): string[] {
  if (status >= 300 && status < 400)
    return [
      `Redirects are not followed: give the address that it leads to (${quote(redact(location ?? 'none'))}) as --target.`,
    ]
  if (expected === 401) return status === 404 ? ["See whether --target is the service's base address."] : []
  if (status === 401) return ['The token was not accepted: give one that is valid there with --token.']
  if (status === 403) return ["The token's user may not do this: give one who may with --token."]
  if (!isSuccess(contract.responses[expected]) || status >= 500) return []
  const parts = (['params', 'query', 'form'] as const).filter(
    (part) => Object.keys(contract[part]?.properties ?? {}).length > 0,
  )
  return [
    `Name what exists there with --data FILE: { ${contract.id}: { ${parts.map((part) => `${part}: {…}`).join(', ')} } }.`,
  ]
}

function checkContent(
  probe: Probe,
  { status, contentType, text }: ProviderResponse,
  redact: Redact,
): readonly Finding[] {
  const { contract } = probe
  const declared = status in contract.responses ? status : probe.status
  const response = contract.responses[declared] as Response
  const body = jsonOr(text, undefined)
  if (body === undefined) {
    const message =
      text === '' ? 'The body is empty: it must be JSON.' : `The body must be JSON, not ${quote(redact(text))}.`
    return [...checkType(contentType, redact), { outcome: 'failed', where: 'body', message }]
  }
  const schema = bodySchema(contract, declared)
  const departures = schema === undefined ? [] : checkOf(schema)(body)
  const findings = departures.map((departure): Finding => {
    const { where, message } = bodyDeviation(contract, declared, { ...departure, value: redact(departure.value) })
    return isOurs(response, departure)
      ? { outcome: 'differs', where, message, reading: readingOf(response, departure) }
      : { outcome: 'failed', where, message }
  })
  const more =
    departures.length === 0 && response.provenance === 'shown' && !isSuccess(response)
      ? checkShownError(probe, status, body as ErrorBody, redact)
      : []
  return [...checkType(contentType, redact), ...findings, ...more]
}

/** "Response bodies are JSON" (document, conventions). */
function checkType(contentType: string, redact: Redact): Finding[] {
  if (/^application\/([\w.+-]+\+)?json *(;|$)/i.test(contentType)) return []
  const given = contentType === '' ? 'nothing' : quote(redact(contentType))
  return [
    {
      outcome: 'failed',
      where: 'headers.content-type',
      message: `The content type must be application/json, not ${given}.`,
    },
  ]
}

/** The code is the status, and the message names a parameter that is missing (document, "Errors"). */
function checkShownError(probe: Probe, status: number, { error }: ErrorBody, redact: Redact): Finding[] {
  const { missing } = probe
  const code =
    error.code === status ? [] : [`'body.error.code' must be the status ${status}, not ${quote(redact(error.code))}.`]
  const message =
    missing === undefined || error.message.includes(missing)
      ? []
      : [`'body.error.message' must name the missing parameter '${missing}', not say ${quote(redact(error.message))}.`]
  return [
    ...code.map((one): Finding => ({ outcome: 'failed', where: 'body.error.code', message: one })),
    ...message.map((one): Finding => ({ outcome: 'failed', where: 'body.error.message', message: one })),
  ]
}

/** Whether a departure is one from our reading, and not from the document. */
function isOurs({ provenance, ...response }: Response, { path, keyword, expected }: Departure): boolean {
  // Where the document does not show a success's fields, it still says that it is an object.
  if (provenance !== 'shown') return !('schema' in response && path.length === 0)
  // The document has types and names of fields; it asks no text to be of a length or of certain characters.
  if (keyword === 'minLength' || keyword === 'pattern') return true
  return keyword === 'format' && NUMBER.test(expected.description ?? '')
}

function readingOf(response: Response, { expected, keyword }: Departure): string | undefined {
  if (response.provenance !== 'shown') return isSuccess(response) ? NUMBER.exec(response.description)?.[0] : 'I-02'
  return NUMBER.exec(expected.description ?? '')?.[0] ?? (keyword === 'pattern' ? 'I-19' : undefined)
}
