import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../../../schemas/scenario.js'
import type { Operation } from '../../operations/handler.js'
import type { Cause, Step } from '../../sandbox/journal/exchange.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import type { Deviation, Violation } from '../../validation/violation.js'
import type { ParsedRequest } from './receive.js'

export interface Call extends ParsedRequest, Operation {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly sandbox: Sandbox
  readonly url: string
  readonly headers: FastifyRequest['headers']
  readonly isFallback?: boolean
}

export interface Answer {
  readonly status: number
  /** With its envelope. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly fault?: Fault | undefined
  readonly step: Step
  readonly cause: Cause
  readonly why: string
  readonly violations: readonly Violation[]
  /** The violations that led to the status; all of them by default. */
  readonly reasons?: readonly Violation[]
  readonly deviations?: readonly Deviation[]
  /** Milliseconds. */
  readonly delay?: number
  readonly offContract?: boolean
  readonly mutant?: { readonly id: string; readonly declaredStatus: number }
  /** Present if `body` is a provider's bytes. */
  readonly provider?: {
    readonly headers: Readonly<Record<string, string | string[]>>
    /** The decoded body; null without one. */
    readonly text: string | null
  }
  /** Present if the mock answers in place of a provider that failed. */
  readonly providerFailure?: string
}

export const NO_VIOLATIONS: readonly Violation[] = Object.freeze([])
