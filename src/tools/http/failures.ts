import { fillTemplate } from '../../engine/contract/template.js'
import { proxyFor } from './proxy.js'

/** Milliseconds. */
export interface Timeouts {
  /** Includes name look-up and TLS. */
  readonly connect: number
  readonly idle: number
}

export type RequestError = Error & {
  readonly code?: string
  readonly syscall?: string
  readonly hostname?: string
  readonly port?: number
  readonly errors?: readonly RequestError[]
  readonly data?: unknown
}

export class NoAnswer {
  constructor(
    readonly message: string,
    /** The provider may have acted on the request. */
    readonly mayHaveArrived: boolean,
    readonly hasTimedOut: boolean,
    /** A retry may succeed. */
    readonly isTransient: boolean,
  ) {}
}

type Reason = readonly [pattern: RegExp, message: string]

const UNREACHED: readonly Reason[] = [
  [/ECONNREFUSED$/, "Nothing listens at '{url}': start the provider there, or correct {option}."],
  [
    /(ENOTFOUND|EAI_\w+)$/,
    "The host '{hostname}' of '{url}' is unknown: correct {option}, or check the network's DNS.",
  ],
  [
    /UND_ERR_CONNECT_TIMEOUT$/,
    "'{url}' accepted no connection within {connect} s. Check whether the provider is up and not behind a firewall{orTime}.",
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL|EPROTO/,
    "The certificate of '{url}' is not trusted, or the server does not use TLS: correct {option}, or add the certificate's authority to NODE_EXTRA_CA_CERTS.",
  ],
  [
    /^(connect|getaddrinfo) |E(HOST|NET)(UNREACH|DOWN)$/,
    "'{url}' cannot be reached ({message}): check the network, or correct {option}.",
  ],
]

const PROXY = "The proxy '{proxy}', set in {variable},"
const NO_PROXY = "or add '{hostname}' to NO_PROXY."
const PROXY_UNREACHED = `${PROXY} cannot be reached ({message}): start it, correct {variable}, ${NO_PROXY}`
const PROXY_REFUSED = `${PROXY} does not connect to '{url}' ({message}): check what it allows, ${NO_PROXY}`

const RECEIVED: readonly Reason[] = [
  [/ALERT$/, "The server at '{url}' uses TLS. Begin {option} with https://."],
  [
    /UND_ERR_(HEADERS|BODY)_TIMEOUT$/,
    "'{url}' accepted the request but did not answer within {idle} s. Check the provider's log{orTime}.",
  ],
  [/WHOLE_TIMEOUT$/, "'{url}' did not end its answer in time{orTime}. Check the provider's log."],
  [/BROKEN_BODY$/, "'{url}' broke off its answer. Check the provider's log."],
  [/RES_EXCEEDED/, "The answer from '{url}' has no end, or is far too long for this API. Correct {option}."],
  [/HEADERS_OVERFLOW$/, "The head of the answer from '{url}' is too long to read. Check the provider's log."],
  [/NO_HTTP$/, "The answer from '{url}' is not valid HTTP ({message}). Correct {option}, or check its log."],
  [/$/, "'{url}' closed the connection before it answered. Check the provider's log{orTls}.{once}"],
]

/** @throws {RequestError} always */
export function failBody(error: RequestError): never {
  const isLimit = error.name === 'TimeoutError' || /TIMEOUT|EXCEEDED/.test(error.code ?? '')
  throw isLimit ? error : Object.assign(new Error('the body broke off'), { code: 'BROKEN_BODY' })
}

export function isClosed(error: RequestError): boolean {
  return /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(codeOf(error))
}

function codeOf({ code = '', name, message, data }: RequestError): string {
  // A TLS alert record.
  if (typeof data === 'string' && data.startsWith('\x15\x03')) return 'ALERT'
  if (name === 'TimeoutError') return 'WHOLE_TIMEOUT'
  // The second pattern: undici's messages for an unexpected status 101 or 100.
  return name === 'HTTPParserError' || /^bad (upgrade|response)$/.test(message) ? 'NO_HTTP' : code
}

export function explainNoAnswer(
  error: RequestError,
  url: string,
  option: '--target' | '--provider',
  { connect, idle }: Timeouts,
): NoAnswer {
  const first = error.errors?.[0] ?? error
  const key = `${first.syscall ?? ''} ${codeOf(first)}`
  const proxy = proxyFor(url)
  const unreached =
    (proxy && proxyFailure(first, proxy.url, new URL(url))) ?? UNREACHED.find(([pattern]) => pattern.test(key))?.[1]
  const message = unreached ?? RECEIVED.find(([pattern]) => pattern.test(key))?.[1] ?? ''
  const isVerify = option === '--target'
  const values = {
    url,
    option,
    proxy: proxy?.url.host,
    variable: proxy?.variable,
    hostname: new URL(url).hostname.replace(/^\[|\]$/g, ''),
    connect: connect / 1_000,
    idle: idle / 1_000,
    message: first.message,
    orTime: isVerify ? ', or allow more time with --timeout MS' : '',
    orTls: url.startsWith('http:') ? `, or begin ${option} with https:// if it uses TLS` : '',
    once: isVerify ? '' : ' The request may have taken effect there.',
  }
  const isTransient = isClosed(first) || first.code === 'ECONNREFUSED'
  const text = fillTemplate(message, values) as string
  return new NoAnswer(text, unreached === undefined, key.includes('TIMEOUT'), isTransient)
}

/** With `NO_PROXY`, the error may be the target's own. */
function proxyFailure({ message, hostname, port }: RequestError, proxy: URL, target: URL): string | undefined {
  if (message.startsWith('Proxy response')) return PROXY_REFUSED
  const isPort = port !== undefined && port === portOf(proxy) && port !== portOf(target)
  return isPort || hostname === proxy.hostname || message.includes(`${proxy.hostname}:`) ? PROXY_UNREACHED : undefined
}

function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80)
}
