import type { FastifyError, FastifyReply } from 'fastify'
import type { Cites } from '../contract/cites.js'
import type { Conventions } from '../contract/conventions.js'
import { LONGEST_FIELD } from '../contract/fields.js'
import { describeComplaint, InvalidFiles } from '../files/invalid-files.js'
import { type Answer, NO_EFFECTS } from '../journal/exchange.js'
import { type Violation, violationOf } from '../judge/violation.js'
import { StorageFailure } from '../sandbox/state/state.js'

/** Status and title (RFC 9457). */
const catalogue = {
  'no-such-route': { status: 404, title: 'No such route' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'bad-url': { status: 400, title: 'The URL cannot be read' },
  'bad-request': { status: 400, title: 'The request cannot be read' },
  'headers-too-large': { status: 431, title: 'The request head is too large' },
  'request-timeout': { status: 408, title: 'The request did not arrive in time' },
  'bad-sandbox-name': { status: 400, title: 'Invalid sandbox name' },
  'sandbox-conflict': { status: 400, title: 'The request names two sandboxes' },
  'sandbox-required': { status: 400, title: 'The request names no sandbox' },
  'undeclared-outcome': { status: 400, title: 'The operation does not declare this outcome' },
  'malformed-preference': { status: 400, title: 'The preference cannot be read' },
  'unknown-scenario': { status: 400, title: 'No such scenario' },
  'body-too-large': { status: 413, title: 'The body exceeds the limit' },
  'storage-failed': { status: 507, title: 'The change could not be stored' },
  forbidden: { status: 403, title: 'Not allowed from here' },
  unauthorized: { status: 401, title: 'The admin token is missing or wrong' },
  'invalid-input': { status: 400, title: 'Invalid input' },
  'not-found': { status: 404, title: 'Not found' },
  conflict: { status: 409, title: 'Not possible in this state' },
  internal: { status: 500, title: 'A bug in the mock' },
} as const

export interface ProblemKind {
  readonly code: string
  readonly status: number
  readonly title: string
  readonly cause?: string
}

export class Problem extends Error {
  readonly code: string
  readonly status: number
  override readonly cause: string
  violation: Violation | undefined
  readonly #title: string

  constructor(
    kind: keyof typeof catalogue | ProblemKind,
    detail: string,
    private readonly extra: Readonly<Record<string, unknown>> = {},
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail)
    const problemKind: ProblemKind = typeof kind === 'string' ? { code: kind, ...catalogue[kind] } : kind
    this.code = problemKind.code
    this.status = problemKind.status
    this.cause = problemKind.cause ?? 'natural'
    this.#title = problemKind.title
  }

  /** Adds the client's violation, which is suspicious without cites. */
  withViolation(where: string, fix: string, cites?: Cites): this {
    this.violation = violationOf({ code: this.code, message: this.message, where, fix }, cites)
    return this
  }

  get responseHeaders(): Record<string, string> {
    return { 'content-type': 'application/problem+json; charset=utf-8', 'x-mock-error': this.code, ...this.headers }
  }

  get body(): string {
    const { code, status, message: detail, extra } = this
    const type = `urn:countersign:problem:${code}`
    return JSON.stringify({ type, title: this.#title, status, code, detail, ...extra })
  }

  send(reply: FastifyReply): FastifyReply {
    return reply.code(this.status).headers(this.responseHeaders).send(this.body)
  }
}

export function problemAnswer(problem: Problem, violations: readonly Violation[]): Answer {
  const { code, status, cause, message: why } = problem
  return { kind: 'problem', code, status, step: 'routing', cause, why, violations, ...NO_EFFECTS }
}

export function bodyTooLarge(limit: number, conventions: Conventions): Problem {
  const fix = 'Send less, or start the server with a higher --body-limit.'
  return tooLarge(`The body is larger than ${limit} bytes.`, limit, 'body', fix, conventions)
}

export function fieldTooLong(name: string, conventions: Conventions): Problem {
  const fix = `Send at most ${LONGEST_FIELD} characters.`
  const message = `The form field '${name}' is too long to be stored.`
  return tooLarge(message, LONGEST_FIELD, `form.${name}`, fix, conventions)
}

function tooLarge(message: string, limit: number, where: string, fix: string, { bodyLimit }: Conventions): Problem {
  return new Problem('body-too-large', `${message} ${fix}`, { limit }).withViolation(where, fix, [bodyLimit])
}

export function asProblem(error: FastifyError): Problem {
  if (error instanceof Problem) return error
  if (error instanceof StorageFailure) return new Problem('storage-failed', error.message)
  if (error instanceof InvalidFiles) return problemForInvalidFiles(error)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    const fix = 'Send a Content-Type such as application/json, or none.'
    const message = `The Content-Type cannot be read. ${fix}`
    return new Problem('bad-request', message).withViolation('headers.content-type', fix)
  }
  const status = error.statusCode ?? 500
  if (status < 500)
    return new Problem('bad-request', error.message).withViolation('request', 'Send a valid HTTP/1.1 request.')
  const message = `The mock itself failed: ${error.message}. Please report it with the request that caused it.`
  return new Problem('internal', message)
}

function problemForInvalidFiles({ complaints }: InvalidFiles): Problem {
  const details = complaints.map(({ frame: _, ...complaint }) => describeComplaint(complaint))
  const shown = complaints.map(({ path = '', line, column, message }) => ({ path, line, column, message }))
  return new Problem('invalid-input', details.join('\n'), { complaints: shown })
}
