import { whyNotConnected } from '../connection-failures.js'
import type { Target } from './target.js'

/** No connection to the provider came about: nothing was sent, and the client's request is as it was. */
export class Unreachable extends Error {
  /** Whether it did not answer in time, in contrast to an error. */
  readonly timedOut: boolean

  constructor(message: string, timedOut = false) {
    super(message)
    this.timedOut = timedOut
  }
}

/** The provider took the request, at least in part, and gave no answer. */
export class NoAnswer extends Unreachable {}

/** A time that passed without what was due. */
export class TimedOut extends Error {
  /** Milliseconds. */
  readonly after: number

  constructor(after: number) {
    super(`nothing for ${after} ms`)
    this.after = after
  }
}

const IN_THE_MEANTIME = 'With --fallback the mock answers in the meantime.'

type Failure = Error & { readonly code?: string; readonly errors?: readonly Failure[] }

/** Why a connection did not come about. */
export function unreachable(target: Target, error: Error): Unreachable {
  const { url } = target
  if (error instanceof TimedOut) {
    const why = `'${url}' takes no connection within ${error.after / 1_000} s: see whether the provider is up, and whether a firewall stands before it.`
    return new Unreachable(`${why} ${IN_THE_MEANTIME}`, true)
  }
  const code = codeOf(error)
  const { message } = whyNotConnected(code, { ...target, option: '--provider' }) ?? {}
  const why = message ?? `'${url}' cannot be reached (${code || error.message}): correct --provider.`
  return new Unreachable(`${why} ${IN_THE_MEANTIME}`)
}

/** Why no answer came, though the connection stood. */
export function noAnswer({ url }: Target, error: Error): NoAnswer {
  if (error instanceof TimedOut) {
    const seconds = error.after / 1_000
    return new NoAnswer(`'${url}' took the request, and did not answer within ${seconds} s: see its log.`, true)
  }
  const code = codeOf(error)
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new NoAnswer(`The head of the answer of '${url}' is longer than can be read: see its log.`)
  }
  if (/^(HPE_|ERR_INVALID_CHAR|ERR_HTTP_INVALID)/.test(code)) {
    return new NoAnswer(`What answers at '${url}' is not valid HTTP (${code}): correct --provider, or see its log.`)
  }
  return new NoAnswer(
    `'${url}' broke the connection before it answered: see its log. The request may have taken effect there, and is not repeated.`,
  )
}

/** Where several addresses were tried, each has its own. */
function codeOf({ code, errors }: Failure): string {
  return code ?? errors?.[0]?.code ?? ''
}
