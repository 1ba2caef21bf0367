import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Form } from '../../contract/fields.js'
import type { Answer } from '../../journal/exchange.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import type { Operation } from '../../operation.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import type { EngineSettings } from '../../sandbox/settings.js'
import type { PendingHttpExchange } from './pending-exchange.js'

export interface Call {
  readonly operation: Operation
  readonly contract: Operation['contract']
  readonly exchange: PendingHttpExchange
  readonly request: ReceivedRequest
  readonly sandbox: Sandbox
  /** As validated: numbers are decoded, and empty strings treated as absent are removed. */
  readonly query: Readonly<Record<string, unknown>>
  readonly form: Form
  readonly fastify: { readonly request: FastifyRequest; readonly reply: FastifyReply }
  readonly auth?: EngineSettings['auth']
  /** A middleware may replace it. */
  readonly answerNaturally: Decide
}

export type Decide = (call: Call) => Promise<Answer>

export interface Middleware {
  readonly preferences?: readonly string[]
  answer(call: Call, next: Decide): Promise<Answer>
}
