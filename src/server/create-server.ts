import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { applySwitches } from '../api/apply-switches.js'
import { operations as documented } from '../api/operations.js'
import { buildApp } from '../engine/app.js'
import type { Exchange } from '../engine/journal/exchange.js'
import { Smtp } from '../engine/sandbox/mail/smtp.js'
import type { Sandbox } from '../engine/sandbox/sandbox.js'
import { Sandboxes } from '../engine/sandbox/sandboxes.js'
import type { Shared } from '../engine/sandbox/settings.js'
import { State } from '../engine/sandbox/state/state.js'
import type { StateFile } from '../engine/sandbox/state/state-file.js'
import { defaultFixtures } from '../package-root.js'
import { checkProvider } from '../tools/forward/settings.js'
import { describeComplaints, relativePath } from './complaints.js'
import { addressOf, listenAt } from './listen.js'
import { loadShared } from './load-data.js'
import { logLines } from './log-lines.js'
import { type Edits, reloadOnEdits } from './reload.js'
import type { Settings } from './settings.js'
import type { TlsPair } from './tls.js'
import { registerTools, type ToolParts } from './tools.js'

/** A server with its sandboxes, ready to listen. */
export interface Server {
  readonly app: FastifyInstance
  readonly sandboxes: Sandboxes
  /** The settings as they are now. */
  readonly settings: () => Settings
  /** The certificate, in PEM, if it uses TLS. */
  readonly cert: string | undefined
  /** Listens and resolves with the base URL. @throws {InvalidOption} if it cannot listen */
  listen(): Promise<string>
  close(): Promise<void>
}

export interface ServerParts extends Partial<Edits>, ToolParts {
  /** Stands in for the certificate and key that the settings name: PEM texts, or paths. */
  readonly tls?: TlsPair
  /** Opens the admin API to this process. */
  readonly secret?: string
  /** Prints with colours. */
  readonly colour?: boolean
}

/**
 * Builds a server from its settings.
 * @throws {InvalidFiles} if the fixtures, the scenarios or the state file cannot be used
 * @throws {InvalidOption} if a scenario does not exist, or an option needs a provider that is not set
 */
export async function createServer(given: Settings, parts: ServerParts = {}): Promise<Server> {
  const { notify = ignore, print = ignore, colour = false, fixtures } = parts
  const contracts = applySwitches(
    documented.map(({ contract }) => contract),
    given.switches,
  )
  const operations = documented.map((operation, at) => ({ ...operation, contract: contracts[at]! }))
  checkProvider(given)
  const isPlain = (parts.tls ?? given.tlsCert ?? given.tlsKey) === undefined
  const tls = isPlain ? undefined : await (await import('./tls.js')).tlsPair(given, parts.tls)
  const { notes, ...shared } = await loadShared(given, contracts, fixtures)
  if (notes.length > 0) notify(describeComplaints(notes, given.folder))
  const stored = given.persist === undefined ? undefined : await openState(given.persist, shared)
  const smtp = given.smtp === undefined ? undefined : new Smtp(given.smtp, { warn: print })
  const sandboxes = new Sandboxes(shared, { state: stored?.state, smtp })
  // Edits replace the settings by others of the same kind.
  const settings = () => sandboxes.shared.settings as Settings
  const logRequest = (exchange: Exchange, sandbox: Sandbox) => {
    // The time by the machine's clock, which is the one that the user sees.
    print(logLines(exchange, sandbox, new Date().toTimeString().slice(0, 8), colour))
  }
  const followSettings = () => {
    sandboxes.off('exchange', logRequest)
    if (parts.print !== undefined && settings().logRequests) sandboxes.on('exchange', logRequest)
  }
  followSettings()
  sandboxes.on('edit', followSettings)
  const app = buildApp(operations, sandboxes, {
    tls,
    secret: parts.secret,
    registerTools: (own) => registerTools(own, settings, parts),
  })
  if (given.watch) reloadOnEdits(app, sandboxes, { ...parts, notify, print })
  const close = async () => {
    await app.close()
    // Changes made in process may not be stored yet; a failure can be reported nowhere.
    await stored?.state.save().catch(() => {})
    await smtp?.close()
    await stored?.file.close()
  }
  const listen = async () => {
    try {
      await listenAt(app, given.host, given.port)
    } catch (error) {
      await close()
      throw error
    }
    const { address: host, port } = app.addresses().find((one) => typeof one === 'object') as AddressInfo
    return addressOf({ host, port, tlsCert: tls?.cert })
  }
  return { app, sandboxes, settings, cert: tls?.cert, listen, close }
}

function ignore(): void {}

/** Loaded where there is one: most servers keep no state. A state that cannot be used is left alone. */
async function openState(
  path: string,
  { settings, seeded }: Shared & { readonly settings: Settings },
): Promise<{ file: StateFile; state: State }> {
  const { StateFile } = await import('../engine/sandbox/state/state-file.js')
  const folder = seeded.files.length === 0 ? [] : [settings.fixtures ?? defaultFixtures]
  const file = await StateFile.open(path, relativePath(settings.folder, path), [...folder, ...seeded.files])
  try {
    return { file, state: await State.open(seeded, file) }
  } catch (error) {
    await file.close()
    throw error
  }
}
