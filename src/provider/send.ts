import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fillPath } from '../../schemas/contract.js'
import { sampleFiles } from '../docs/sample-files.js'
import type { FilePart, Probe } from './probes.js'

/** Where a provider is, and as whom it is called. */
export interface Target {
  /** The base address, without a slash at its end. */
  readonly url: string
  readonly token: string
  /** Milliseconds that each request may take, its body included. */
  readonly timeout: number
}

/** What came back. */
export interface ProviderResponse {
  readonly status: number
  readonly contentType: string
  /** Where a redirect leads; it is not followed. */
  readonly location: string | null
  readonly text: string
}

/** Why nothing came back, in words. */
export interface NoAnswer {
  readonly problem: string
  /** Whether something is there at all. */
  readonly reached: boolean
}

const WRONG_TOKEN = 'countersign-wrong-token'

/** Sends a probe's request. */
export async function sendProbe(probe: Probe, target: Target): Promise<ProviderResponse | NoAnswer> {
  const { contract, query } = probe
  const place = `${target.url}${fillPath(contract, (name) => probe.params[name] ?? '')}`
  const search = new URLSearchParams(query).toString()
  const body = probe.form === null ? undefined : await formData(probe.form)
  try {
    const response = await fetch(search === '' ? place : `${place}?${search}`, {
      method: contract.method,
      headers: { accept: 'application/json', ...tokenHeader(probe, target.token) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(target.timeout),
    })
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      location: response.headers.get('location'),
      text: await response.text(),
    }
  } catch (error) {
    return describeFailure(error, place, target)
  }
}

function tokenHeader({ token }: Probe, userToken: string): Record<string, string> {
  if (token === null) return {}
  const value = token.kind === 'user' ? userToken : WRONG_TOKEN
  return { [token.header]: token.header === 'authorization' ? `Bearer ${value}` : value }
}

async function formData(form: NonNullable<Probe['form']>): Promise<FormData> {
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.set(name, value)
    else data.set(name, await fileOf(value))
  }
  return data
}

async function fileOf({ file, mediaType }: FilePart): Promise<File> {
  const path = file ?? sampleFiles[mediaType]
  return path === undefined
    ? new File(['countersign'], 'sample', { type: mediaType })
    : new File([await readFile(path)], basename(path), { type: mediaType })
}

/** Why a call failed: its codes, what to say, and whether something is there. */
const REASONS: readonly (readonly [codes: RegExp, reached: boolean, words: (place: string, host: string) => string])[] =
  [
    [
      /^ECONNREFUSED$/,
      false,
      (place) => `Nothing listens at '${place}': start the provider there, or correct --target.`,
    ],
    [
      /^(ENOTFOUND|EAI_AGAIN)$/,
      false,
      (place, host) => `The host '${host}' of '${place}' is unknown: correct --target, or check the network's DNS.`,
    ],
    [
      /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
      false,
      (place) => `'${place}' cannot be reached from here: check the network, or correct --target.`,
    ],
    [
      /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/,
      true,
      (place) => `'${place}' broke the connection before its answer was whole: see the provider's log.`,
    ],
    [
      /CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL|EPROTO/,
      false,
      (place) =>
        `The certificate of '${place}' is not trusted, or it speaks no TLS: correct --target, or name its authority in NODE_EXTRA_CA_CERTS.`,
    ],
    [/^HPE_/, true, (place) => `What answers at '${place}' is not valid HTTP: correct --target.`],
  ]

interface Cause {
  readonly name?: string
  readonly code?: string
  readonly message?: string
}

function describeFailure(error: unknown, place: string, { url, timeout }: Target): NoAnswer {
  const cause = ((error as Error).cause ?? error) as Cause
  const code = cause.code ?? ''
  if (
    (error as Error).name === 'TimeoutError' ||
    cause.name === 'TimeoutError' ||
    /TIMEOUT|ETIMEDOUT/.test(`${code}`)
  ) {
    const problem = `'${place}' did not answer within ${timeout / 1_000} s: see whether the provider is up, and whether a firewall stands before it.`
    return { problem, reached: false }
  }
  const [, reached, words] = REASONS.find(([codes]) => codes.test(code)) ?? []
  if (words !== undefined) return { problem: words(place, new URL(url).hostname), reached: reached === true }
  return {
    problem: `'${place}' cannot be called: ${cause.message ?? 'the call failed'}. Correct --target.`,
    reached: false,
  }
}
