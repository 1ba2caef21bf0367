import { whyNotConnected } from '../connection-failures.js'
import { BrokenOff, NoStatus, type Timeouts, UNASKED } from './client.js'
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

type Failure = Error & {
  readonly code?: string
  readonly syscall?: string
  readonly errors?: readonly Failure[]
  /** What could not be read. */
  readonly data?: string
}

/** Why the provider gives no answer, by what undici says of it. */
export function failureOf(target: Target, { connect, idle }: Timeouts, error: Failure): Unreachable {
  const { url } = target
  const code = codeOf(error)
  if (error instanceof BrokenOff) {
    const isSlow = codeOf(error.cause as Failure) === 'UND_ERR_BODY_TIMEOUT'
    return new NoAnswer(`'${url}' broke off its answer. Check its log.`, isSlow)
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    const why = `'${url}' accepted no connection within ${connect / 1_000} s. Check whether the provider is up and not behind a firewall.`
    return new Unreachable(why, true)
  }
  const { message } = whyNotConnected(code, { ...target, option: '--provider' }) ?? {}
  if (message !== undefined) return new Unreachable(message)
  if (/^(?:connect|getaddrinfo)$/.test(error.syscall ?? ''))
    return new Unreachable(`'${url}' cannot be reached (${code || error.message}): correct --provider.`)
  if (/^UND_ERR_(?:HEADERS|BODY)_TIMEOUT$/.test(code))
    return new NoAnswer(
      `'${url}' accepted the request but did not answer within ${idle / 1_000} s. Check its log.`,
      true,
    )
  const { words } = SILENCES.find(({ is }) => is(code, error)) as Silence
  return new NoAnswer(words(target, error))
}

interface Silence {
  readonly is: (code: string, failure: Failure) => boolean
  readonly words: (target: Target, failure: Failure) => string
}

/** Why no answer comes over a connection that stands: the first that fits says it. */
const SILENCES: readonly Silence[] = [
  {
    is: (code) => code === 'UND_ERR_HEADERS_OVERFLOW',
    words: ({ url }) => `The head of the answer from '${url}' is too long to read. Check its log.`,
  },
  {
    is: (_, { data }) => /^\x15\x03/.test(data ?? ''),
    words: ({ url }) => `The server at '${url}' uses TLS. Begin --provider with https://.`,
  },
  {
    is: (_, failure) => failure.name === 'HTTPParserError' || failure instanceof NoStatus,
    words: ({ url }, { message }) =>
      `The answer from '${url}' is not valid HTTP (${message}). Correct --provider, or check its log.`,
  },
  {
    is: (_, { message }) => Object.hasOwn(UNASKED, message),
    words: ({ url }, { message }) =>
      `'${url}' answered with ${UNASKED[message]}, which was not requested. Check its log.`,
  },
  {
    is: () => true,
    words: ({ url, protocol }) => {
      const orTls = protocol === 'http:' ? ', or begin --provider with https:// if it uses TLS' : ''
      return `'${url}' closed the connection before it answered. Check its log${orTls}. The request may have taken effect there, so it is not repeated.`
    },
  },
]

/** Where several addresses were tried, each has its own. */
function codeOf({ code, errors }: Failure): string {
  return code ?? errors?.[0]?.code ?? ''
}
