import { fill } from '../../schemas/template.js'

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

/** What Node, undici and the client throw. */
export type Failure = Error & {
  readonly code?: string
  readonly statusCode?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly syscall?: string
  /** Where several addresses were tried, each has its own. */
  readonly errors?: readonly Failure[]
  /** What could not be read. */
  readonly data?: unknown
}

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

const LATE = { timedOut: true }
const TAKEN = { taken: true }

/** By the system call and the code of a failure: the first that fits says it. */
const REASONS: readonly (readonly [is: RegExp, words: string, how?: ConstructorParameters<typeof Unanswered>[1]])[] = [
  [/ECONNREFUSED$/, "Nothing listens at '{url}': start the provider there, or correct {option}."],
  [
    /(ENOTFOUND|EAI_\w+)$/,
    "The host '{hostname}' of '{url}' is unknown: correct {option}, or check the network's DNS.",
  ],
  [
    /UND_ERR_CONNECT_TIMEOUT$/,
    "'{url}' accepted no connection within {connect} s. Check whether the provider is up and not behind a firewall{orTime}.",
    LATE,
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID$/,
    "The certificate of '{url}' is not for the host '{hostname}': use the host that it is for in {option}.",
  ],
  [/TLS_ALERT$/, "The server at '{url}' uses TLS. Begin {option} with https://.", TAKEN],
  [
    /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL|EPROTO/,
    "The certificate of '{url}' is not trusted, or the server does not use TLS: correct {option}, or add the certificate's authority to NODE_EXTRA_CA_CERTS.",
  ],
  [
    /^(connect|getaddrinfo) |E(HOST|NET)(UNREACH|DOWN)$/,
    "'{url}' cannot be reached ({message}): check the network, or correct {option}.",
  ],
  [
    /UND_ERR_(HEADERS|BODY)_TIMEOUT$/,
    "'{url}' accepted the request but did not answer within {idle} s. Check its log{orTime}.",
    { ...TAKEN, ...LATE },
  ],
  [/BROKEN_BODY$/, "'{url}' broke off its answer. Check its log.", TAKEN],
  [/RES_EXCEEDED/, "The answer from '{url}' has no end, or is far too long for this API. Correct {option}.", TAKEN],
  [/HEADERS_OVERFLOW$/, "The head of the answer from '{url}' is too long to read. Check its log.", TAKEN],
  [/NO_HTTP$/, "The answer from '{url}' is not valid HTTP ({message}). Correct {option}, or check its log.", TAKEN],
  [/$/, "'{url}' closed the connection before it answered. Check its log{orTls}.{once}", TAKEN],
]

export function codeOf({ code = '', name, message, data }: Failure): string {
  if (typeof data === 'string' && data.startsWith('\x15\x03')) return 'TLS_ALERT'
  // undici says so of a status 101 or 100 that was not asked for.
  return name === 'HTTPParserError' || /^bad (upgrade|response)$/.test(message) ? 'NO_HTTP' : code
}

export function unansweredBecause(failure: Failure, { connect, idle, ...place }: Place): Unanswered {
  const first = failure.errors?.[0] ?? failure
  const key = `${first.syscall ?? ''} ${codeOf(first)}`
  const [, words, how] = REASONS.find(([is]) => is.test(key)) as (typeof REASONS)[number]
  const isVerified = place.option === '--target'
  const values = {
    ...place,
    hostname: new URL(place.url).hostname.replace(/^\[|\]$/g, ''),
    connect: connect / 1_000,
    idle: idle / 1_000,
    message: first.message,
    orTime: isVerified ? ', or allow more time with --timeout MS' : '',
    orTls: place.url.startsWith('http:') ? `, or begin ${place.option} with https:// if it uses TLS` : '',
    once: isVerified ? '' : ' The request may have taken effect there, so it is not repeated.',
  }
  return new Unanswered(fill(words, values) as string, how)
}
