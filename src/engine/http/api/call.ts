import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Form } from '../../contract/fields.js'
import type { Answer } from '../../journal/exchange.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import type { Operation } from '../../operation.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import type { EngineSettings } from '../../sandbox/settings.js'
import type { BegunExchange } from './exchange.js'

/** A call of an operation, as the steps of `answer` see it. */
export interface Call {
  readonly operation: Operation
  readonly contract: Operation['contract']
  readonly exchange: BegunExchange
  readonly request: ReceivedRequest
  readonly sandbox: Sandbox
  /** Query and form as the schemas see them: numbers are numbers, and empty strings treated as absent are removed. */
  readonly query: Readonly<Record<string, unknown>>
  readonly form: Form
  readonly fastify: { readonly request: FastifyRequest; readonly reply: FastifyReply }
  /** False if Fastify rejected the Content-Type before it validated. */
  readonly isValidated: boolean
  /** `any`: whatever the settings say, an unknown token is the first user's. */
  readonly auth?: EngineSettings['auth']
  /** Authenticates, validates and operates; a tool may put something else in its place. */
  readonly serve: (call: Call) => Promise<Answer>
}

export type Decide = (call: Call) => Promise<Answer>

/** Stands around the decision: gives an answer of its own, or calls `next`, perhaps with another call. */
export interface Middleware {
  /** Names of preferences that it reads, besides the mock's own. */
  readonly preferences?: readonly string[]
  answer(call: Call, next: Decide): Promise<Answer>
}
