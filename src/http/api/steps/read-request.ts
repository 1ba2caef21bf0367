import type { TObject } from '@sinclair/typebox'
import { WHOLE_NUMBER } from '../../../../schemas/common.js'
import { perObject } from '../../../../schemas/per-object.js'
import { CutOffBody } from '../../body.js'
import { dropEmpty } from '../empty-texts.js'
import { readForm } from '../form.js'
import type { Step, StepContext } from '../step-context.js'
import { cutOff, UnreadableForm } from '../unreadable-form.js'

/** Reads query and body into what contract and scenarios speak of; a body that cannot be read is reported later. */
export const readRequest: Step = (context) => {
  const { request, exchange, contract, world } = context
  readUrl(context)
  if (contract.form === undefined) {
    exchange.text = asText(request.body)
    return undefined
  }
  const { form: schema } = contract
  return readForm(request, contract, world.settings.bodyLimit).then(
    ({ form, bytes }) => {
      context.bytes = bytes
      exchange.form = dropEmpty(schema, form)
      return undefined
    },
    (error: unknown) => {
      const unreadable = error instanceof CutOffBody ? cutOff(error) : error
      if (!(unreadable instanceof UnreadableForm)) throw error
      exchange.text = asText(request.body)
      context.unreadable = unreadable.violation
      return undefined
    },
  )
}

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
export function asText(body: unknown): string | null {
  return typeof body === 'string' && body !== '' ? body : null
}
