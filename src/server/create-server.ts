import type { AddressInfo } from 'node:net'
import type { Api } from '../engine/api.js'
import { buildApp } from '../engine/app.js'
import { constantPairs } from '../engine/contract/contract.js'
import type { Exchange } from '../engine/journal/exchange.js'
import { Smtp } from '../engine/sandbox/mail/smtp.js'
import type { Sandbox } from '../engine/sandbox/sandbox.js'
import { Sandboxes } from '../engine/sandbox/sandboxes.js'
import type { ServerData } from '../engine/sandbox/settings.js'
import { State } from '../engine/sandbox/state/state.js'
import { describeComplaints, relativePath } from './describe-complaints.js'
import { listenAt, localUrl } from './listen.js'
import { type ConfiguredApi, configureApi, loadData } from './load-data.js'
import { logLines } from './log-lines.js'
import { type ReloadOptions, reloadOnEdits } from './reload.js'
import type { Settings } from './settings.js'
import type { TlsPair } from './tls.js'
import { checkTools, registerTools, type ToolParts } from './tools.js'

export type Server = Awaited<ReturnType<typeof createServer>>

export interface ServerParts extends Partial<ReloadOptions>, ToolParts {
  /** PEM texts or paths, instead of the settings' files. */
  readonly tls?: TlsPair
  /** Gives this process access to the admin API. */
  readonly processSecret?: string
  readonly colour?: boolean
}

/** @throws {InvalidFiles} @throws {InvalidOption} for a missing scenario or an option that needs another */
export async function createServer(documentedApi: Api, initialSettings: Settings, parts: ServerParts = {}) {
  const { notify = () => {}, print = () => {}, colour = false, fixtures } = parts
  const configured = configureApi(documentedApi, initialSettings.switches)
  const { api } = configured
  checkTools(initialSettings)
  const usesTls = (parts.tls ?? initialSettings.tlsCert ?? initialSettings.tlsKey) !== undefined
  const tls = usesTls ? await (await import('./tls.js')).readTlsPair(initialSettings, parts.tls) : undefined
  const { warnings, ...data } = await loadData(configured, initialSettings, fixtures)
  if (warnings.length > 0) notify(describeComplaints(warnings, initialSettings.folder))
  const stored =
    initialSettings.persist === undefined ? undefined : await openState(initialSettings.persist, configured, data)
  const smtp = initialSettings.smtp === undefined ? undefined : new Smtp(initialSettings.smtp, print)
  const sandboxes = new Sandboxes(data, api, { state: stored?.state, smtp })
  const settings = () => sandboxes.data.settings
  const format = { hiddenPairs: constantPairs(configured.scenarioFormat.contracts), colour }
  const logRequest = (exchange: Exchange, sandbox: Sandbox) => {
    // The user's clock, not the sandbox's.
    print(logLines(exchange, sandbox, new Date().toTimeString().slice(0, 8), format))
  }
  const updateRequestLogging = () => {
    sandboxes.off('exchange', logRequest)
    if (parts.print !== undefined && settings().logRequests) sandboxes.on('exchange', logRequest)
  }
  updateRequestLogging()
  sandboxes.on('edit', updateRequestLogging)
  const app = buildApp(api, sandboxes, {
    tls,
    processSecret: parts.processSecret,
    registerTools: (scope) => registerTools(scope, settings, parts),
  })
  if (initialSettings.watch) reloadOnEdits(app, sandboxes, configured, { ...parts, notify, print })
  const close = async () => {
    await app.close()
    sandboxes.abortPending()
    // Saves changes that no request has saved.
    await stored?.state.save().catch(({ message }: Error) => notify(message))
    await smtp?.close()
    await stored?.file.close()
  }
  /** Resolves with the base URL. @throws {InvalidOption} for an unusable host or port */
  const listen = async () => {
    try {
      await listenAt(app, initialSettings.host, initialSettings.port)
    } catch (error) {
      await close()
      throw error
    }
    const { address: host, port } = app.addresses().find((one) => typeof one === 'object') as AddressInfo
    return localUrl({ host, port, tlsCert: tls?.cert })
  }
  return { app, api, sandboxes, settings, cert: tls?.cert, listen, close }
}

async function openState(
  path: string,
  { api, fixturesFormat: format }: ConfiguredApi,
  { settings, seeded }: ServerData<Settings>,
) {
  const { StateFile } = await import('../engine/sandbox/state/state-file.js')
  const { folder, configFile, scenarios, fixtures } = settings
  const fixtureFiles = seeded.files.length === 0 ? [] : [fixtures ?? api.fixturesPath, ...seeded.files]
  const otherFiles = [configFile, scenarios].filter((one) => one !== undefined)
  const file = await StateFile.open(format, path, relativePath(folder, path), [...fixtureFiles, ...otherFiles])
  try {
    return { file, state: await State.open(seeded, api.collections, file) }
  } catch (error) {
    await file.close()
    throw error
  }
}
