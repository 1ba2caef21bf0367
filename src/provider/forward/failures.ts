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

/** The provider speaks another protocol from here on, unasked. */
export class ProtocolChanged extends Error {}

type Failure = Error & {
  readonly code?: string
  readonly errors?: readonly Failure[]
  /** What could not be read. */
  readonly rawPacket?: Uint8Array
}

/** Why a connection did not come about. */
export function unreachable(target: Target, error: Error): Unreachable {
  const { url } = target
  if (error instanceof TimedOut) {
    const why = `'${url}' takes no connection within ${error.after / 1_000} s: see whether the provider is up, and whether a firewall stands before it.`
    return new Unreachable(why, true)
  }
  const code = codeOf(error)
  const { message } = whyNotConnected(code, { ...target, option: '--provider' }) ?? {}
  const why = message ?? `'${url}' cannot be reached (${code || error.message}): correct --provider.`
  return new Unreachable(why)
}

interface Silence {
  readonly is: (failure: Failure) => boolean
  readonly words: (target: Target, failure: Failure) => string
}

/** Why no answer comes over a connection that stands: the first that fits says it. */
const SILENCES: readonly Silence[] = [
  {
    is: ({ code }) => code === 'HPE_HEADER_OVERFLOW',
    words: ({ url }) => `The head of the answer of '${url}' is longer than can be read: see its log.`,
  },
  {
    is: speaksTls,
    words: ({ url }) => `What answers at '${url}' speaks TLS: begin --provider with https://.`,
  },
  {
    is: ({ code = '' }) => /^(HPE_|ERR_INVALID_CHAR|ERR_HTTP_INVALID)/.test(code),
    words: ({ url }, { code }) =>
      `What answers at '${url}' is not valid HTTP (${code}): correct --provider, or see its log.`,
  },
  {
    is: (failure) => failure instanceof ProtocolChanged,
    words: ({ url }) => `'${url}' answered 101 and changed the protocol, which nobody asked for: see its log.`,
  },
  {
    is: () => true,
    words: ({ url, protocol }) => {
      const orTls = protocol === 'http:' ? ', or begin --provider with https:// if it speaks TLS' : ''
      return `'${url}' broke the connection before it answered: see its log${orTls}. The request may have taken effect there, and is not repeated.`
    },
  },
]

/** Why no answer came, though the connection stood. */
export function noAnswer(target: Target, error: Error): NoAnswer {
  if (error instanceof TimedOut) {
    const seconds = error.after / 1_000
    return new NoAnswer(`'${target.url}' took the request, and did not answer within ${seconds} s: see its log.`, true)
  }
  const { words } = SILENCES.find(({ is }) => is(error)) as Silence
  return new NoAnswer(words(target, error))
}

/** An alert of TLS, the content type and the major version of its record, to a request that is not encrypted. */
function speaksTls({ rawPacket }: Failure): boolean {
  return rawPacket?.[0] === 0x15 && rawPacket[1] === 0x03
}

/** Where several addresses were tried, each has its own. */
function codeOf({ code, errors }: Failure): string {
  return code ?? errors?.[0]?.code ?? ''
}
