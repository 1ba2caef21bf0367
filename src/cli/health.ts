import { Argument } from 'commander'
import { Agent, request } from 'undici'
import type { Api } from '../engine/api.js'
import { SERVER_HEADER } from '../engine/http/admin/health.js'
import { localUrl } from '../server/listen.js'
import type { CliCommand } from './command.js'
import { readSettings } from './files.js'
import { baseUrl } from './flags.js'

const TIMEOUT_MS = 600

export const command = (api: Api): CliCommand => ({
  operand: new Argument('[URL]', 'URL of a server or of a sandbox'),
  about:
    'Checks within a second whether a server is ready. Without a URL, it asks the server on this machine, at the configured port.',
  options: ['config', 'port', 'host', 'tlsCert'],
  optionHelp: {
    port: 'Port of the server to ask (default 4010).',
    host: 'Host of the server to ask (default 127.0.0.1).',
    tlsCert: 'Certificate of a server that uses https.',
  },
  sections: {
    'Exit status': `
0  the server is ready
1  no server answers, or the one that answers is not countersign
2  the command line is invalid`,
    Examples: 'npx countersign health http://127.0.0.1:4010/~worker-3',
  },
  async run({ options, operands: [operand] }, io) {
    const url =
      operand === undefined
        ? localUrl(await readSettings(api, options, io))
        : baseUrl(operand, 'The URL').replace(/\/__admin$/, '')
    const failure = await findFailure(`${url}/__admin/health`)
    if (failure === undefined) io.out(`${url} is ready.`)
    else io.err(`countersign: ${url} is not ready: ${failure}.`)
    return failure === undefined ? 0 : 1
  },
})

async function findFailure(url: string): Promise<string | undefined> {
  // Readiness needs no trusted certificate.
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  try {
    const { statusCode, headers } = await request(url, { dispatcher, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const isCountersign = statusCode === 200 && headers['x-mock-server'] === SERVER_HEADER['x-mock-server']
    return isCountersign ? undefined : 'another server answers at this URL'
  } catch (error) {
    const { name, code, message } = error as NodeJS.ErrnoException
    return name === 'TimeoutError' ? 'it does not answer' : `it cannot be reached (${code ?? message})`
  } finally {
    await dispatcher.destroy()
  }
}
