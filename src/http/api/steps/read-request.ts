import type { TObject } from '@sinclair/typebox'
import { WHOLE_NUMBER } from '../../../../schemas/common.js'
import { perObject } from '../../../../schemas/per-object.js'
import { dropEmpty } from '../empty-texts.js'
import { isForm, readForm } from '../form.js'
import { formMeant } from '../form-meant.js'
import type { Step, StepContext } from '../step-context.js'
import { UnreadableBody } from '../unreadable-body.js'

/** Reads query and body into what contract and scenarios speak of; a body that cannot be read is reported later. */
export const readRequest: Step = (context) => {
  readUrl(context)
  return readBody(context)
}

/** Reads the body that was received. */
export function readBody(context: StepContext): Promise<undefined> | undefined {
  const { request, exchange, contract } = context
  const { bytes } = request
  if (contract.form === undefined) {
    exchange.text = textOf(bytes)
    return bytes === null ? undefined : noteForm(context, bytes)
  }
  return readFields(context, contract.form).catch((error: unknown) => {
    if (!(error instanceof UnreadableBody)) throw error
    context.unreadable = error.violation
    if (!isForm(request.headers['content-type'])) exchange.text = textOf(bytes)
    return bytes === null ? undefined : noteForm(context, bytes)
  })
}

async function readFields(
  { request, exchange, contract, leftEmpty }: StepContext,
  schema: TObject,
): Promise<undefined> {
  const form = await readForm({ request, headers: request.headers }, request.bytes ?? NOTHING, contract)
  exchange.form = dropEmpty(schema, form, leftEmpty)
  request.body = exchange.form
}

/** Notes what a body says as a form where none is due, or another type is declared: it is corrected from that. */
async function noteForm(context: StepContext, bytes: Buffer): Promise<undefined> {
  context.formMeant = await formMeant(context.request, bytes, context.contract)
}

const NOTHING = Buffer.alloc(0)

/** Reads path and query. */
export function readUrl({ request, exchange, contract }: StepContext): void {
  exchange.query = dropEmpty(contract.query, decode(contract.query, request.query as Record<string, unknown>))
  exchange.params = request.params as Record<string, string>
}

function decode(schema: TObject, query: Record<string, unknown>): Record<string, unknown> {
  for (const name of integersOf(schema)) {
    const value = query[name]
    if (typeof value === 'string' && WHOLE_NUMBER.test(value)) query[name] = safe(value)
  }
  return query
}

/** A number beyond what numbers can tell apart stays text. */
function safe(digits: string): number | string {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : digits
}

/** The parameters that are whole numbers. */
const integersOf = perObject(({ properties }: TObject): readonly string[] =>
  Object.keys(properties).filter((name) => properties[name]?.type === 'integer'),
)

/** A body that no form is read from; null where there is none. */
export function textOf(bytes: Buffer | null): string | null {
  return bytes === null || bytes.byteLength === 0 ? null : String(bytes)
}
