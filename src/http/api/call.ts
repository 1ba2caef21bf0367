import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Form } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import type { Fault } from '../../../schemas/scenario.js'
import type { Handler } from '../../operations/handler.js'
import type { Deviation, Violation } from '../../validation/violation.js'
import type { Cause, Step } from '../../world/journal/exchange.js'
import type { World } from '../../world/world.js'
import type { Preferences } from './preferences.js'

/** A call of an operation, received whole. */
export interface Call {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly world: World
  readonly contract: Contract
  readonly handler: Handler<Contract>
  readonly url: string
  readonly headers: FastifyRequest['headers']
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  /** Null if the operation takes no form, or the body cannot be read as one. */
  readonly form: Form | null
  /** A body that is not read as a form; null without one. */
  readonly text: string | null
  /** Why the body cannot be read. */
  readonly unreadable: Violation | null
  readonly preferences: Preferences | null
  /** Whether the mock answers in the place of a provider that does not. */
  readonly isFallback?: boolean
}

/** What a call is answered with, and why. */
export interface Answer {
  readonly status: number
  /** The whole body, envelope included. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly fault?: Fault | undefined
  readonly step: Step
  readonly cause: Cause
  readonly why: string
  readonly violations: readonly Violation[]
  /** The violations that led to the status; all of them if it is not said. */
  readonly reasons?: readonly Violation[]
  readonly deviations?: readonly Deviation[]
  /** Milliseconds that the answer is held back. */
  readonly delay?: number
  /** Whether the body may depart from the contract. */
  readonly offContract?: boolean
  /** The mutant that altered the answer, and the status that it had before. */
  readonly mutant?: { readonly id: string; readonly declaredStatus: number }
  /** The head of a provider's answer, whose bytes are the body. */
  readonly provider?: ProviderHead
  /** Why the provider did not answer, if the mock does in its place. */
  readonly providerFailure?: string
}

/** The head of an answer that a provider gave. */
interface ProviderHead {
  /** The words beside its status. */
  readonly reason: string
  readonly headers: Readonly<Record<string, string | string[]>>
  /** The decoded text of the body, as far as it is kept; null without a body. */
  readonly text: string | null
}

/** What became of a request to the provider: its answer, or with `--fallback` why there is none. */
export type Asked =
  | { readonly answer: Answer; readonly failure?: never }
  | { readonly answer?: never; readonly failure: string }

export const NO_VIOLATIONS: readonly Violation[] = Object.freeze([])
