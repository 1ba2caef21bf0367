import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Form } from '../../contract/fields.js'
import type { Answer } from '../../journal/exchange.js'
import type { ReceivedRequest } from '../../judge/received-request.js'
import type { Operation } from '../../operation.js'
import type { Sandbox } from '../../sandbox/sandbox.js'

/** A call of an operation, as the steps of `answer` see it. */
export interface Call extends Pick<Operation, 'contract' | 'handle'> {
  readonly inspect: Operation['inspect'] | undefined
  readonly request: ReceivedRequest
  readonly sandbox: Sandbox
  /** Query and form as the schemas see them: numbers are numbers, and empty texts that count as absent are not there. */
  readonly query: Readonly<Record<string, unknown>>
  readonly form: Form
  readonly fastify: { readonly request: FastifyRequest; readonly reply: FastifyReply }
  /** False if Fastify rejected the Content-Type before it validated. */
  readonly isValidated: boolean
  /** True to take an unknown token for the first user's. */
  readonly takesAnyToken: boolean
  /** Authenticates, validates and operates; a tool may put something else in its place. */
  readonly serve: (call: Call) => Promise<Answer>
}

/** Stands around the decision: gives an answer of its own, or calls `next`, perhaps with another call. */
export interface Middleware {
  /** Names of preferences that it reads, besides the mock's own. */
  readonly preferences?: readonly string[]
  /** Whether it stands around every call; otherwise only where a call has a preference, or a scenario is on. */
  isAlwaysOn: boolean
  /** True if it reads the body as it was received, while it is always on. */
  readonly needsBytes?: boolean
  answer(call: Call, next: (call: Call) => Promise<Answer>): Promise<Answer>
}
