import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Contract } from '../contract/contract.js'
import { SANDBOX_NAME } from '../contract/sandbox-name.js'
import { quote } from '../contract/wording.js'
import type { SandboxSelector } from '../journal/exchange.js'
import { safeDecodeURIComponent } from '../judge/decode.js'
import { splitSandboxSuffix, tokenIn } from '../judge/token.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { Sandboxes } from '../sandbox/sandboxes.js'
import { Problem } from './problems.js'

/** Includes the host of an absolute URL, as clients of a proxy send it. */
const PREFIX = /^(?:[a-z][a-z\d+.-]*:\/\/[^/?#]*)?(?:\/(?:~|%7e)([^/?#]*))?/i

export function sandboxNameIn(url: string): string | undefined {
  const [, name] = PREFIX.exec(url) ?? []
  return name === undefined ? undefined : safeDecodeURIComponent(name, '')
}

/** Removes the sandbox. Escapes each `%` of a URL that cannot be decoded, so that the API can report it (`bad-url`). */
export function rewriteUrl({ url = '/' }: IncomingMessage): string {
  const decodable = isDecodable(url) ? url : url.replaceAll('%', '%25')
  if (sandboxNameIn(decodable) === '') return decodable
  const path = decodable.replace(PREFIX, '')
  return /^[/*]/.test(path) ? path : `/${path}`
}

export function isDecodable(url: string): boolean {
  return !url.includes('%') || safeDecodeURIComponent(url, '') !== ''
}

export function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '')
}

interface SandboxReference {
  readonly name: string
  readonly by: SandboxSelector
  readonly where: string
}

const LABELS: { readonly [By in SandboxSelector]: string } = {
  url: 'the base URL',
  header: 'the header X-Mock-Sandbox',
  token: 'the ending of the token',
}

function referencesInUrl(url: string): SandboxReference[] {
  const name = sandboxNameIn(url)
  return name === undefined ? [] : [{ name, by: 'url', where: 'url' }]
}

function referencesInHeader({ 'x-mock-sandbox': header }: IncomingHttpHeaders): SandboxReference[] {
  if (header === undefined) return []
  // Node joins repeated headers.
  const names = String(header).split(',')
  return names.map((name) => ({ name: name.trim(), by: 'header', where: 'headers.x-mock-sandbox' }))
}

function referencesInTokens(headers: IncomingHttpHeaders, contract: Contract | null, root: Sandbox) {
  // An unmatched request has no operation.
  const tokenHeaders = contract?.tokenHeaders ?? root.api.conventions.tokenHeaders.slice(0, 1)
  const references: SandboxReference[] = []
  for (const header of tokenHeaders) {
    const value = headers[header.name]
    const token = value && tokenIn(header, value)
    const split = token && splitSandboxSuffix(token)
    // The token of a user may contain `~NAME`.
    if (split && root.userOf(token) === undefined)
      references.push({ name: split.sandbox, by: 'token', where: `headers.${header.name}` })
  }
  return references
}

export type ChosenSandbox = ReturnType<typeof findSandbox>

/** @throws {Problem} for an invalid name, for two names, and without a name if --require-sandbox is set */
export function chooseSandbox(
  { originalUrl, headers }: FastifyRequest,
  contract: Contract | null,
  sandboxes: Sandboxes,
): ChosenSandbox {
  const inTokens = referencesInTokens(headers, contract, sandboxes.root)
  const references = [...referencesInUrl(originalUrl), ...referencesInHeader(headers), ...inTokens]
  if (references.length === 0 && sandboxes.data.settings.requireSandbox) throw sandboxRequired()
  return findSandbox(references, sandboxes)
}

/** Pages send no token. @throws {Problem} for an invalid name, and for two names */
export function chooseSandboxOfPage({ originalUrl, headers }: FastifyRequest, sandboxes: Sandboxes): Sandbox {
  return findSandbox([...referencesInUrl(originalUrl), ...referencesInHeader(headers)], sandboxes).sandbox
}

/** @throws {Problem} for an invalid sandbox name in the URL */
export function sandboxInUrl({ originalUrl }: Pick<FastifyRequest, 'originalUrl'>, sandboxes: Sandboxes): Sandbox {
  return findSandbox(referencesInUrl(originalUrl), sandboxes).sandbox
}

function findSandbox(references: readonly SandboxReference[], sandboxes: Sandboxes) {
  const [first] = references
  if (first === undefined) return { sandbox: sandboxes.root, sandboxBy: null }
  const invalid = references.find(({ name }) => !SANDBOX_NAME.test(name))
  if (invalid !== undefined) throw badName(invalid)
  const other = references.find(({ name }) => name !== first.name)
  if (other !== undefined) throw conflict(first, other)
  return { sandbox: sandboxes.get(first.name), sandboxBy: first.by }
}

function badName({ name, by, where }: SandboxReference): Problem {
  const subject = by === 'url' ? quote(name) : `${quote(name)}, in ${LABELS[by]},`
  const detail = `${subject} is not a valid sandbox name. Use 1 to 64 letters, digits, dots, hyphens and underscores, as in /~worker-3.`
  return new Problem('bad-sandbox-name', detail).withViolation(where, 'Rename the sandbox, for example to worker-3.')
}

function conflict(first: SandboxReference, other: SandboxReference): Problem {
  const [one, two] = [first, other].map(({ name, by }) => `'${name}' (${LABELS[by]})`)
  const detail = `The request names two sandboxes, ${one} and ${two}. Name one sandbox, or the same one everywhere.`
  return new Problem('sandbox-conflict', detail).withViolation(other.where, 'Name one sandbox.')
}

function sandboxRequired(): Problem {
  const detail =
    'The request names no sandbox, and this server requires one (--require-sandbox). Use the base URL of a sandbox (/~NAME), the header X-Mock-Sandbox: NAME, or a token that ends in ~NAME.'
  const fix = 'Append /~NAME to the base URL, or send X-Mock-Sandbox: NAME.'
  return new Problem('sandbox-required', detail).withViolation('request', fix)
}
