import { networkInterfaces } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import type { Api } from '../engine/api.js'
import { isLoopback } from '../engine/http/loopback.js'
import { curl } from '../engine/judge/curl.js'
import { curlCall, sampleCall } from '../engine/judge/sample-call.js'
import { examplesOf } from '../engine/operation.js'
import { describeIgnoredConfigs } from '../server/config-file.js'
import { createServer, type Server } from '../server/create-server.js'
import { relativePath } from '../server/describe-complaints.js'
import { optionNames } from '../server/options.js'
import type { Settings } from '../server/settings.js'
import { destinationOf } from '../server/tools.js'
import { columnLines } from '../tools/report/report.js'
import type { CliCommand } from './command.js'
import { flushCompileCache } from './compile-cache.js'
import { readSettings } from './files.js'

export const command = (api: Api): CliCommand => ({
  startsServer: true,
  about: `Serves the API until you stop it (Ctrl+C). It prints its URL, the tokens and a curl command for each operation, and then a line for each exchange.

Edits to the config file, scenarios and fixtures take effect while it runs.`,
  options: optionNames,
  sections: {
    Examples: `
npx countersign --port 4011 --scenario ${api.sampleOutcome} --scenario slow-everything
npx countersign --provider https://api.example.test --provider-token "$REAL_TOKEN" --fallback`,
  },
  async run({ options }, io) {
    // A signal may come during the start.
    const interrupted = io.waitForSignal('SIGINT', 'SIGTERM')
    const rereadSettings = async () => {
      const settings = await readSettings(api, options, io)
      return { ...settings, logRequests: settings.logRequests ?? true }
    }
    const server = await createServer(api, await rereadSettings(), {
      notify: io.err,
      print: io.log,
      colour: io.colours.out,
      rereadSettings,
    })
    io.out(banner(await server.listen(), server))
    // Before a flag is set: V8 rejects code that was compiled with other flags.
    flushCompileCache()
    // Calls leave mostly short-lived garbage, and V8 would let the heap grow to four times its live size.
    setFlagsFromString('--heap-growing-percent=50')
    await interrupted
    await server.close()
    return 0
  },
})

function banner(url: string, server: Server): string {
  const { api, sandboxes } = server
  const { root } = sandboxes
  const settings = server.settings()
  const { configFile, folder } = settings
  const destination = destinationOf(settings)
  const configName = configFile === undefined ? 'none' : relativePath(folder, configFile)
  const rows = [
    ...addressRows(url, settings),
    ...(destination === undefined ? [] : [[destination.name, `calls are ${destination.calls}`]]),
    ['config file', `${configName}${describeIgnoredConfigs(folder)}`],
    ['active scenarios', root.player.active.join(', ') || 'none'],
  ]
  const baseUrl = settings.requireSandbox ? `${url}/~NAME` : url
  const calls = api.operations.map((operation) => {
    const { contract } = operation
    const call = sampleCall(contract, api.sampleFiles, examplesOf(operation, root))
    return `  ${curl(curlCall(contract, call, baseUrl, root.firstToken ?? 'ANY'), ' ')}`
  })
  return [
    `countersign listens at ${url}`,
    '',
    ...columnLines(rows),
    '',
    'Tokens',
    ...(destination === undefined ? tokenLines(root.users.map(api.users.row), settings) : [`  ${destination.tokens}`]),
    '',
    // A pasted line must not change a provider's records.
    ...(destination === undefined ? ['Try', ...calls, ''] : []),
  ].join('\n')
}

function addressRows(url: string, { host, adminToken }: Settings): readonly string[][] {
  const sandbox = ['a sandbox', `${url}/~NAME`]
  const networkRows = /^(0\.0\.0\.0|::)$/.test(host) ? networkUrls(url).map((one) => ['on the network', one]) : []
  const closed = `closed: the server listens on ${host} without a token. Set --admin-token to open it`
  if (adminToken === undefined && !isLoopback(host)) return [...networkRows, sandbox, ['admin', closed]]
  const access = adminToken === undefined ? 'open to this machine' : 'requires the token set with --admin-token'
  return [
    ...networkRows,
    ['the dashboard', `${url}/__admin/`],
    ['the docs', `${url}/__admin/docs`],
    sandbox,
    ['admin', `${url}/__admin   ${access}`],
  ]
}

function networkUrls(url: string): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => Object.assign(new URL(url), { hostname: address }).origin)
}

const MAX_TOKENS = 10

function tokenLines(users: readonly ReturnType<Api['users']['row']>[], { auth }: Settings): string[] {
  const rows = users.slice(0, MAX_TOKENS).map((row) => Object.values(row).map((cell) => [cell].flat().join(', ')))
  const lines = columnLines(rows)
  if (users.length > MAX_TOKENS)
    lines.push(`  and ${users.length - MAX_TOKENS} more, as 'npx countersign list tokens' shows`)
  if (auth === 'any') return [...lines, '  Any other token is accepted as well.']
  return lines.length > 0 ? lines : ['  none: the fixtures have no users. Use --auth any to accept every token.']
}
