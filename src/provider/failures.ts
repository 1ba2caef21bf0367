/** Why the provider gives no answer. */
export class Unanswered extends Error {
  /** Whether the provider took the request, at least in part: it may have taken effect. */
  readonly taken: boolean
  /** Whether it did not answer in time, in contrast to an error. */
  readonly timedOut: boolean

  constructor(message: string, { taken = false, timedOut = false } = {}) {
    super(message)
    this.taken = taken
    this.timedOut = timedOut
  }
}

/** An answer that ended before it was whole. */
export class BrokenOff extends Error {}
/** A body without an end, or far too long for an answer of this API. */
export class TooLong extends Error {}
/** An answer whose status is none. */
export class NoStatus extends Error {}

/** Where an answer is waited for, and how long, in milliseconds. */
export interface Place {
  readonly url: string
  /** The option that names it. */
  readonly option: '--target' | '--provider'
  /** For a connection, name look-up and TLS included. */
  readonly connect: number
  /** For the head of an answer after all of the request, and for each further piece of it. */
  readonly idle: number
}

/** What undici and Node throw. */
export type Failure = Error & {
  readonly code?: string
  readonly statusCode?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly syscall?: string
  readonly errors?: readonly Failure[]
  /** What could not be read. */
  readonly data?: unknown
}

interface Reason {
  readonly is: RegExp | ((failure: Failure) => boolean)
  readonly words: (place: Place & { readonly hostname: string }, failure: Failure) => string
  readonly taken?: true
  readonly timedOut?: true
}

/** The first that fits says it; a pattern is one of codes. */
const REASONS: readonly Reason[] = [
  {
    is: (failure) => failure instanceof TooLong,
    words: ({ url, option }) =>
      `The answer from '${url}' has no end, or is far too long for this API. Correct ${option}.`,
    taken: true,
  },
  {
    is: ({ cause }) => codeOf(cause as Failure) === 'UND_ERR_BODY_TIMEOUT',
    words: ({ url }) => `'${url}' broke off its answer. Check its log.`,
    taken: true,
    timedOut: true,
  },
  {
    is: (failure) => failure instanceof BrokenOff,
    words: ({ url }) => `'${url}' broke off its answer. Check its log.`,
    taken: true,
  },
  {
    is: /^ECONNREFUSED$/,
    words: ({ url, option }) => `Nothing listens at '${url}': start the provider there, or correct ${option}.`,
  },
  {
    is: /^(ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)$/,
    words: ({ url, hostname, option }) =>
      `The host '${hostname}' of '${url}' is unknown: correct ${option}, or check the network's DNS.`,
  },
  {
    is: /^UND_ERR_CONNECT_TIMEOUT$/,
    words: ({ url, connect, option }) =>
      `'${url}' accepted no connection within ${connect / 1_000} s. Check whether the provider is up and not behind a firewall${orMoreTime(option)}.`,
    timedOut: true,
  },
  {
    is: /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|ETIMEDOUT)$/,
    words: ({ url, option }) => `'${url}' cannot be reached from here: check the network, or correct ${option}.`,
  },
  {
    is: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    words: ({ url, hostname, option }) =>
      `The certificate of '${url}' is not for the host '${hostname}': use the host that it is for in ${option}.`,
  },
  {
    is: /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL|EPROTO/,
    words: ({ url, option }) =>
      `The certificate of '${url}' is not trusted, or the server does not use TLS: correct ${option}, or add the certificate's authority to NODE_EXTRA_CA_CERTS.`,
  },
  {
    is: ({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo',
    words: ({ url, option }, failure) =>
      `'${url}' cannot be reached (${codeOf(failure) || failure.message}): correct ${option}.`,
  },
  {
    is: /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/,
    words: ({ url, idle, option }) =>
      `'${url}' accepted the request but did not answer within ${idle / 1_000} s. Check its log${orMoreTime(option)}.`,
    taken: true,
    timedOut: true,
  },
  {
    is: /^UND_ERR_HEADERS_OVERFLOW$/,
    words: ({ url }) => `The head of the answer from '${url}' is too long to read. Check its log.`,
    taken: true,
  },
  {
    is: ({ data }) => typeof data === 'string' && data.startsWith('\x15\x03'),
    words: ({ url, option }) => `The server at '${url}' uses TLS. Begin ${option} with https://.`,
    taken: true,
  },
  {
    is: (failure) => failure.name === 'HTTPParserError' || failure instanceof NoStatus,
    words: ({ url, option }, { message }) =>
      `The answer from '${url}' is not valid HTTP (${message}). Correct ${option}, or check its log.`,
    taken: true,
  },
  {
    is: ({ message }) => Object.hasOwn(UNASKED, message),
    words: ({ url }, { message }) =>
      `'${url}' answered with ${UNASKED[message]}, which was not requested. Check its log.`,
    taken: true,
  },
]

/** What undici refuses, by what it says of it: the status that came, and nobody has asked for. */
export const UNASKED: Readonly<Record<string, string>> = {
  'bad upgrade': '101 and changed the protocol',
  'bad response': '100 Continue',
}

const CLOSED: Reason = {
  is: /./,
  words({ url, option }) {
    const orTls = url.startsWith('http:') ? `, or begin ${option} with https:// if it uses TLS` : ''
    const once = option === '--provider' ? ' The request may have taken effect there, so it is not repeated.' : ''
    return `'${url}' closed the connection before it answered. Check its log${orTls}.${once}`
  },
  taken: true,
}

export function unansweredBecause(failure: Failure, place: Place): Unanswered {
  const code = codeOf(failure)
  const { words, ...how } = REASONS.find(({ is }) => (typeof is === 'function' ? is(failure) : is.test(code))) ?? CLOSED
  const hostname = new URL(place.url).hostname.replace(/^\[|\]$/g, '')
  return new Unanswered(words({ ...place, hostname }, failure), how)
}

function orMoreTime(option: Place['option']): string {
  return option === '--target' ? ', or allow more time with --timeout MS' : ''
}

/** Where several addresses were tried, each has its own. */
function codeOf(failure: Failure | undefined): string {
  return failure?.code ?? failure?.errors?.[0]?.code ?? ''
}
