import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { unescaped } from '../text/unescaped.js'
import { bearerToken } from '../validation/token.js'
import type { SandboxSelector } from '../world/journal/exchange.js'
import { SANDBOX_NAME } from '../world/sandbox-name.js'
import { isTokenIn, tokenEnding } from '../world/token-ending.js'
import type { World } from '../world/world.js'
import type { Worlds } from '../world/worlds.js'
import { Problem, type ProblemCode } from './problems.js'
import { ALLOWED_NAMES, badSandboxName, sandboxIn } from './world-of.js'

/** Of a call, what can name a world. */
export interface Call {
  /** As the client wrote it. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The headers that a token is read from. */
  readonly tokenHeaders: readonly string[]
}

/** A way to name a world: where it stands, in words and as a violation has it, and the names that a call has there. */
interface Selector {
  readonly by: SandboxSelector
  readonly label: string
  readonly where: string
  readonly names: (call: Call, isToken: (text: string) => boolean) => readonly string[]
}

const NONE: readonly string[] = Object.freeze([])

/** In the order in which they count. */
const selectors: readonly Selector[] = [
  {
    by: 'url',
    label: 'the base URL',
    where: 'url',
    names: ({ url }) => [sandboxIn(url) ?? NONE].flat(),
  },
  {
    by: 'header',
    label: 'the header X-Mock-Sandbox',
    where: 'headers.x-mock-sandbox',
    names: ({ headers: { 'x-mock-sandbox': header } }) => (header === undefined ? NONE : inList(String(header))),
  },
  {
    by: 'baggage',
    label: 'the header baggage',
    where: 'headers.baggage',
    names: ({ headers: { baggage } }) => (baggage === undefined ? NONE : inBaggage(String(baggage))),
  },
  {
    by: 'token',
    label: 'the ending of the token',
    where: 'headers.authorization',
    names: ({ headers, tokenHeaders }, isToken) => {
      const tokens = [
        headers.authorization && bearerToken(headers.authorization),
        ...tokenHeaders.map(valueIn(headers)),
      ]
      return tokens.flatMap((token) => {
        const ending = token && !isToken(token) ? tokenEnding(token) : undefined
        return ending === undefined ? [] : [ending.sandbox]
      })
    },
  },
]

/** The selectors of a page for people, which sends no token. */
const selectorsOfPages = selectors.filter(({ by }) => by === 'url' || by === 'header')

/** The header that a token may come in besides Authorization. */
const valueIn = (headers: IncomingHttpHeaders) => (name: string) =>
  name === 'authorization' ? undefined : (headers[name] as string | undefined)

/** A header that was sent twice arrives as a list. */
const inList = (header: string) => header.split(',').map((name) => name.trim())

/** The values of the member `mock-sandbox` (W3C Baggage); whatever else is there, or cannot be read, is of no interest. */
function inBaggage(baggage: string): readonly string[] {
  return baggage.split(',').flatMap((member) => sandboxMember(member) ?? [])
}

/** What a member of baggage named `mock-sandbox` names; undefined for any other. Properties after a semicolon are not ours. */
export function sandboxMember(member: string): string | undefined {
  const [name = '', value = ''] = member.split(';', 1)[0]?.split(/=(.*)/s) ?? []
  return name.trim() === 'mock-sandbox' ? unescaped(value.trim()) : undefined
}

/** That a call does not say whose world it is for, or label it wrong. */
export class UnknownSandbox extends Problem {
  readonly where: string
  readonly fix: string

  constructor(code: ProblemCode, detail: string, where: string, fix: string) {
    super(code, detail)
    this.where = where
    this.fix = fix
  }
}

/** Whose world a call is for, and how it label so: null at the root. */
export interface Chosen {
  readonly world: World
  readonly by: SandboxSelector | null
}

/**
 * The world that a call of the API names.
 * @throws {UnknownSandbox} for what is no name, for two names, or for none where one is required
 */
export function chooseSandbox(call: Call, worlds: Worlds): Chosen {
  const chosen = chosenBy(selectors, call, worlds)
  if (chosen.by === null && worlds.shared.settings.requireSandbox) throw unnamed()
  return chosen
}

/**
 * The world whose page is asked for.
 * @throws {UnknownSandbox} for what is no name, and for two names
 */
export function chooseSandboxOfPage({ originalUrl: url, headers }: FastifyRequest, worlds: Worlds): World {
  return chosenBy(selectorsOfPages, { url, headers, tokenHeaders: NONE }, worlds).world
}

function chosenBy(allowed: readonly Selector[], call: Call, worlds: Worlds): Chosen {
  const isToken = (text: string) => isTokenIn(worlds.root, text)
  const named = allowed.flatMap((way) => way.names(call, isToken).map((name) => ({ way, name })))
  const [first] = named
  if (first === undefined) return { world: worlds.root, by: null }
  const bad = named.find(({ name }) => !SANDBOX_NAME.test(name))
  if (bad !== undefined) throw badName(bad.name, bad.way)
  const other = named.find(({ name }) => name !== first.name)
  if (other !== undefined) throw conflict(first, other)
  return { world: worlds.sandbox(first.name) as World, by: first.way.by }
}

interface Named {
  readonly way: Selector
  readonly name: string
}

function badName(name: string, { by, label, where }: Selector): UnknownSandbox {
  const { code, message } = badSandboxName(name, by === 'url' ? undefined : label)
  return new UnknownSandbox(code, message, where, ALLOWED_NAMES)
}

function conflict(first: Named, other: Named): UnknownSandbox {
  const [one, two] = [first, other].map(({ way, name }) => `'${name}' (${way.label})`)
  return new UnknownSandbox(
    'sandbox-conflict',
    `The request names two sandboxes, ${one} and ${two}. Name one, in one place or alike in all.`,
    other.way.where,
    'Name one sandbox.',
  )
}

function unnamed(): UnknownSandbox {
  return new UnknownSandbox(
    'sandbox-required',
    'The request names no sandbox, and this server requires one (--require-sandbox). Use the base URL of a sandbox (/~NAME), the header X-Mock-Sandbox: NAME, the header baggage: mock-sandbox=NAME, or a token that ends in ~NAME.',
    'request',
    'Name a sandbox in one of these selectors.',
  )
}
