import type { RequestListener } from 'node:http'
import type { Test } from 'tap'
import { type MockServerOptions, startMockServer } from '../../src/index.js'
import { run } from '../command-line.js'
import { provider as program } from '../forward/provider.js'

export const TOKEN = 'token-admin'

/** Verifies a target, and returns the exit status and all that was printed. */
export async function verify(t: Test, url: string, ...argv: string[]) {
  const { code, out, err } = await run(t, ['verify', '--target', url, '--token', TOKEN, '--retries', '0', ...argv])
  return { code, text: `${err}${out}` }
}

export async function provider(t: Test, options: MockServerOptions = {}) {
  const mock = await startMockServer({ port: 0, ...options })
  t.teardown(() => mock.close())
  return mock
}

/** A provider that answers every call alike. */
export async function stub(t: Test, listener: RequestListener): Promise<string> {
  const { url } = await program(t, (request, response) => {
    request.resume()
    listener(request, response)
  })
  return url
}

export function answering(status: number, body: unknown, type = 'application/json', headers = {}): RequestListener {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (_, response) => void response.writeHead(status, { 'content-type': type, ...headers }).end(text)
}
