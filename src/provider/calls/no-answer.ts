import { whyNotConnected } from '../connection-failures.js'
import type { Target } from '../target.js'

/** Why nothing came back, in words. */
export interface NoAnswer {
  readonly problem: string
  /** Whether it may come later: the call is worth sending again. */
  readonly passing: boolean
  /** Whether something that speaks HTTP is there, so that other calls may be answered. */
  readonly reached: boolean
}

interface Cause {
  readonly name?: string
  readonly code?: string
  readonly message?: string
}

/** What a call that failed means, and what the user can do about it. */
export function whyNot(error: unknown, place: string, { url, timeout }: Target): NoAnswer {
  const cause = ((error as Error).cause ?? error) as Cause
  const { code = '', message = 'the call failed' } = cause
  if (error instanceof RangeError) {
    const problem = `The answer from '${place}' has no end, or is far too long for this API. Correct --target.`
    return { problem, passing: false, reached: true }
  }
  if ((error as Error).name === 'TimeoutError' || cause.name === 'TimeoutError' || /TIMEOUT/.test(code)) {
    const problem = `'${place}' did not answer within ${timeout / 1_000} s. Check whether the provider is up and not behind a firewall, or allow more time with --timeout MS.`
    return { problem, passing: false, reached: true }
  }
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/.test(code)) {
    const problem = `'${place}' closed the connection before its answer was complete. Check the provider's log.`
    return { problem, passing: true, reached: true }
  }
  const unconnected = whyNotConnected(code, { url: place, hostname: new URL(url).hostname, option: '--target' })
  if (unconnected !== undefined) return { problem: unconnected.message, passing: unconnected.passing, reached: false }
  if (/^bad port$/.test(message)) {
    const problem = `Port ${new URL(url).port} of '${place}' is blocked by fetch (https://fetch.spec.whatwg.org/#port-blocking). Let the provider listen on another port.`
    return { problem, passing: false, reached: false }
  }
  if (/HEADERS_OVERFLOW/.test(code)) {
    const problem = `The head of the answer from '${place}' is far too long. Check the provider's log, or correct --target.`
    return { problem, passing: false, reached: true }
  }
  const problem =
    /^HPE_/.test(code) || cause.name === 'HTTPParserError'
      ? `The answer from '${place}' is not valid HTTP. Correct --target.`
      : `'${place}' cannot be called: ${message}. Correct --target.`
  return { problem, passing: false, reached: false }
}
