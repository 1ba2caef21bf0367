import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { applySwitches } from '../../schemas/apply-switches.js'
import { buildApp } from '../mock/app.js'
import { operations as documented } from '../mock/operations/index.js'
import type { Exchange } from '../mock/sandbox/journal/exchange.js'
import { logLines } from '../mock/sandbox/journal/views/log-lines.js'
import { Smtp } from '../mock/sandbox/mail/smtp.js'
import { Sandboxes } from '../mock/sandbox/sandboxes.js'
import type { Settings, Shared } from '../mock/sandbox/settings.js'
import { State } from '../mock/sandbox/state/state.js'
import type { StateFile } from '../mock/sandbox/state/state-file.js'
import { defaultFixtures } from '../package-root.js'
import { checkProvider } from '../tools/forward/settings.js'
import type { Timeouts } from '../tools/http-failures.js'
import { describeComplaints, relativePath } from './complaints.js'
import { addressOf, listenAt } from './listen.js'
import { loadShared } from './load-data.js'
import { type Edits, reloadOnEdits } from './reload.js'
import type { TlsPair } from './tls.js'

/** A server with its sandboxes, ready to listen. */
export interface Server {
  readonly app: FastifyInstance
  readonly sandboxes: Sandboxes
  /** The certificate, in PEM, if it uses TLS. */
  readonly cert: string | undefined
  /** Listens and resolves with the base URL. @throws {InvalidOption} if it cannot listen */
  listen(): Promise<string>
  close(): Promise<void>
}

export interface ServerParts extends Partial<Edits> {
  /** Called with each exchange of every sandbox as it ends. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Stands in for the certificate and key that the settings name: PEM texts, or paths. */
  readonly tls?: TlsPair
  /** Opens the admin API to this process. */
  readonly secret?: string
  /** How long to wait for a provider. */
  readonly timeouts?: Timeouts
  /** Prints with colours. */
  readonly colour?: boolean
}

/**
 * Builds a server from its settings.
 * @throws {InvalidFiles} if the fixtures, the scenarios or the state file cannot be used
 * @throws {InvalidOption} if a scenario does not exist, or an option needs a provider that is not set
 */
export async function createServer(settings: Settings, parts: ServerParts = {}): Promise<Server> {
  const { notify = ignore, print, colour = false, fixtures, onExchange, timeouts, secret } = parts
  const operations = documented.map(({ contract, handler }) => ({
    contract: applySwitches([contract], settings.switches)[0]!,
    handler,
  }))
  const contracts = operations.map(({ contract }) => contract)
  checkProvider(settings)
  const isPlain = (parts.tls ?? settings.tlsCert ?? settings.tlsKey) === undefined
  const tls = isPlain ? undefined : await (await import('./tls.js')).tlsPair(settings, parts.tls)
  const shared = await loadShared(settings, contracts, fixtures)
  if (shared.library.notes.length > 0) notify(describeComplaints(shared.library.notes, settings.folder))
  const stored = settings.persist === undefined ? undefined : await openState(settings.persist, shared)
  const smtp = settings.smtp === undefined ? undefined : new Smtp(settings.smtp, { report: print ?? ignore })
  const log = (exchange: Exchange) => {
    // The time by the machine's clock, which is the one that the user sees.
    if (sandboxes.shared.settings.logRequests)
      print?.(logLines(exchange, new Date().toTimeString().slice(0, 8), colour))
  }
  const sandboxes = new Sandboxes(shared, stored?.state, (sandbox) => {
    smtp?.serve(sandbox.outbox)
    if (print !== undefined) sandbox.journal.subscribe(log)
    if (onExchange !== undefined) sandbox.journal.subscribe(onExchange)
  })
  const app = buildApp(operations, sandboxes, { timeouts, tls, secret })
  if (settings.watch) reloadOnEdits(app, sandboxes, { ...parts, notify, print: print ?? ignore })
  const close = async () => {
    await app.close()
    // Changes made in process may not be stored yet; a failure can be reported nowhere.
    await stored?.state.save().catch(() => {})
    await smtp?.close()
    await stored?.file.close()
  }
  const listen = async () => {
    try {
      await listenAt(app, settings.host, settings.port)
    } catch (error) {
      await close()
      throw error
    }
    const { address: host, port } = app.addresses().find((one) => typeof one === 'object') as AddressInfo
    return addressOf({ host, port, tlsCert: tls?.cert })
  }
  return { app, sandboxes, cert: tls?.cert, listen, close }
}

function ignore(): void {}

/** Loaded where there is one: most servers keep no state. A state that cannot be used is left alone. */
async function openState(path: string, { settings, seeded }: Shared): Promise<{ file: StateFile; state: State }> {
  const { StateFile } = await import('../mock/sandbox/state/state-file.js')
  const folder = seeded.files.length === 0 ? [] : [settings.fixtures ?? defaultFixtures]
  const file = await StateFile.open(path, relativePath(settings.folder, path), [...folder, ...seeded.files])
  try {
    return { file, state: await State.open(seeded, file) }
  } catch (error) {
    await file.close()
    throw error
  }
}
