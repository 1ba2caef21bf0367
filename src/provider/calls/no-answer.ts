import type { Target } from '../target.js'

/** Why nothing came back, in words. */
export interface NoAnswer {
  readonly problem: string
  /** Whether it may come later: the call is worth sending again. */
  readonly passing: boolean
  /** Whether something that speaks HTTP is there, so that other calls may be answered. */
  readonly reached: boolean
}

type Reason = Omit<NoAnswer, 'problem'> & { readonly words: (place: string, host: string) => string }

/** Why calls fail, by their codes: what to say, and what is to be expected of the next call. */
const REASONS: readonly (readonly [codes: RegExp, reason: Reason])[] = [
  [
    /^ECONNREFUSED$/,
    {
      passing: true,
      reached: false,
      words: (place) => `Nothing listens at '${place}': start the provider there, or correct --target.`,
    },
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    {
      passing: false,
      reached: false,
      words: (place, host) =>
        `The host '${host}' of '${place}' is unknown: correct --target, or check the network's DNS.`,
    },
  ],
  [
    /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    {
      passing: false,
      reached: false,
      words: (place) => `'${place}' cannot be reached from here: check the network, or correct --target.`,
    },
  ],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
    {
      passing: true,
      reached: true,
      words: (place) => `'${place}' broke the connection before its answer was whole: see the provider's log.`,
    },
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL|EPROTO/,
    {
      passing: false,
      reached: false,
      words: (place) =>
        `The certificate of '${place}' is not trusted, or it speaks no TLS: correct --target, or name its authority in NODE_EXTRA_CA_CERTS.`,
    },
  ],
  [
    /^HPE_/,
    {
      passing: false,
      reached: false,
      words: (place) => `What answers at '${place}' is not valid HTTP: correct --target.`,
    },
  ],
]

interface Cause {
  readonly name?: string
  readonly code?: string
  readonly message?: string
}

/** What a call that failed means, and what the user can do about it. */
export function whyNot(error: unknown, place: string, { url, timeout }: Target): NoAnswer {
  const cause = ((error as Error).cause ?? error) as Cause
  const code = cause.code ?? ''
  if (error instanceof RangeError) {
    const problem = `The answer of '${place}' has no end, or is far too long for this API: correct --target.`
    return { problem, passing: false, reached: true }
  }
  if ((error as Error).name === 'TimeoutError' || cause.name === 'TimeoutError' || /TIMEOUT/.test(code)) {
    const problem = `'${place}' did not answer within ${timeout / 1_000} s: see whether the provider is up, whether a firewall stands before it, or give it longer with --timeout MS.`
    return { problem, passing: false, reached: true }
  }
  const [, reason] = REASONS.find(([codes]) => codes.test(code)) ?? []
  if (reason === undefined) {
    const problem = `'${place}' cannot be called: ${cause.message ?? 'the call failed'}. Correct --target.`
    return { problem, passing: false, reached: false }
  }
  const { words, passing, reached } = reason
  return { problem: words(place, new URL(url).hostname), passing, reached }
}
