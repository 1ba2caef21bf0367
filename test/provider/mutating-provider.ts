import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import type { Cite } from '../../schemas/cites.js'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import type { Server } from '../../src/server/create-server.js'
import { provider } from '../forward/provider.js'

/** A call as a provider takes it, to be changed. */
export interface Asked {
  readonly contract: Contract
  readonly method: string
  readonly params: Readonly<Record<string, string>>
  path: string
  readonly query: URLSearchParams
  readonly headers: Record<string, string>
  readonly form: FormData | null
}

/** An answer as a provider gives it, to be changed. */
export interface Told {
  status: number
  readonly headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: mutants reach into bodies of every shape.
  body: any
  /** Stands in for the body where it is no JSON, or written otherwise. */
  text?: string | Buffer
}

/** One thing that a provider does otherwise. */
export interface Mutant {
  readonly name: string
  /** The statement that it breaks, or the reading that it contradicts. */
  readonly cites: readonly [Cite, ...Cite[]]
  /** Every one, without a name. */
  readonly operation?: string
  /** Whether it cannot be seen without writes. */
  readonly writes?: boolean
  /** Changes a call before the provider reads it; an answer that it returns is given instead of the provider's own. */
  readonly ask?: (asked: Asked) => unknown
  readonly tell?: (told: Told, asked: Asked) => unknown
}

/** A provider that does as countersign does, in a world of its own, but for a mutant. */
export async function mutatingProvider(t: Test, server: Server): Promise<(mutant: Mutant) => string> {
  const mutants: Mutant[] = []
  const { url } = await provider(t, (request, response) => {
    void answer(server, mutants, request, response).catch((error) => response.destroy(error))
  })
  return (mutant) => `${url}/~m${mutants.push(mutant) - 1}`
}

async function answer({ app }: Server, mutants: Mutant[], request: IncomingMessage, response: ServerResponse) {
  const [, number = '', rest = '/'] = /^\/~m(\d+)(.*)$/.exec(request.url ?? '') ?? []
  const mutant = mutants[Number(number)] as Mutant
  const asked = await askedBy(request, rest)
  if (asked === undefined) return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  const concerns = mutant.operation === undefined || mutant.operation === asked.contract.id
  const own = concerns ? mutant.ask?.(asked) : undefined
  const told = isTold(own) ? own : await tell(app, asked, number)
  if (concerns) mutant.tell?.(told, asked)
  response.writeHead(told.status, told.headers).end(told.text ?? JSON.stringify(told.body))
}

function isTold(value: unknown): value is Told {
  return typeof value === 'object' && value !== null && 'status' in value
}

async function askedBy(request: IncomingMessage, url: string): Promise<Asked | undefined> {
  const [path = '', search = ''] = url.split('?')
  for (const contract of contracts as readonly Contract[]) {
    if (contract.method !== request.method) continue
    const pattern = new RegExp(`^${contract.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
    const match = pattern.exec(path)
    if (match === null) continue
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const type = headers['content-type'] ?? ''
    const body = new Response(await buffer(request), { headers: { 'content-type': type } })
    const form = /^multipart/.test(type) ? ((await body.formData()) as FormData) : null
    const { method } = contract
    return { contract, method, params: { ...match.groups }, path, query: new URLSearchParams(search), headers, form }
  }
  return undefined
}

async function tell(app: Server['app'], { method, path, query, headers, form }: Asked, world: string): Promise<Told> {
  const encoded = form === null ? undefined : new Response(form)
  const { 'content-length': _, 'transfer-encoding': __, 'content-type': ___, connection: ____, ...kept } = headers
  const answer = await app.inject({
    method: method as 'GET',
    url: `/~m${world}${path}?${query}`,
    headers: { ...kept, ...(encoded && { 'content-type': encoded.headers.get('content-type') as string }) },
    ...(encoded && { payload: Buffer.from(await encoded.arrayBuffer()) }),
  })
  const { 'content-type': type = '' } = answer.headers
  return { status: answer.statusCode, headers: { 'content-type': String(type) }, body: answer.json() }
}
