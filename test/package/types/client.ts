// Code that a user of the package may write; check.js compiles it with every way to resolve modules.
import type { MockSandbox, MockServerOptions } from 'countersign'
import { connect, InvalidFiles, InvalidOption, startMockServer } from 'countersign'
import type { OperationId, OutcomeId, RequestOf, ResponseOf, ScenarioName } from 'countersign/types'

const options: MockServerOptions = {
  port: 0,
  clock: '2026-01-15T09:30:00Z',
  fixtures: { extends: 'default', users: [] },
}

export async function here(): Promise<number> {
  const mock = await startMockServer(options)
  const world: MockSandbox = await mock.sandbox('worker-3')
  await world.scenarios.activate('addOrganizationMember:409')
  await world.scenarios.activate('gateway:503')
  await world.scenarios.activate('one-of-my-files')
  await world.scenarios.activate(mock.token as string)
  await world.scenarios.define('slow', { rules: [{ on: '*', answer: { delay: 500 } }], active: true })
  const { links } = await world.outbox.waitFor({ to: 'ada@example.test', timeout: 1_000 })
  const [first] = await world.requests({ operation: 'verifyDocument', status: 422 })
  const fixes: string[] = first?.violations.map(({ fix }) => fix) ?? []
  const response: Response = await world.fetch('/api/v2/credits/histories', { method: 'GET' })
  await world.clock.advance(60_000)
  await world.state.patch({
    organizations: [{ id: 1, name: 'Renamed' }],
    credit_histories: [{ id: '', received_by: null }],
  })
  const stop: () => void = await world.on('exchange', ({ outcome, status }) => void [outcome, status])
  stop()
  await mock.close()
  return response.status + links.accept.length + fixes.length
}

export async function elsewhere(): Promise<Date> {
  const mock = await connect('http://127.0.0.1:4010/__admin', { adminToken: 'secret' })
  const world: MockSandbox = await mock.sandbox('worker-3')
  await mock[Symbol.asyncDispose]()
  return world.clock.now()
}

export function explain(error: unknown): string {
  if (error instanceof InvalidFiles) return error.complaints.map(({ file, line }) => `${file}:${line}`).join()
  return error instanceof InvalidOption ? error.message : ''
}

export const forms: readonly RequestOf<'verifyDocument'>['form'][] = [
  { user_uuid: '', code: 'DOC-2025-0001' },
  { user_uuid: '', file: new Blob(['%PDF']) },
  { user_uuid: '', file: new Blob(['%PDF']), code: 'DOC-2025-0001' },
]
export const total = (page: ResponseOf<'listCreditHistories', 200>): number => page.total
export const message = ({ error }: ResponseOf<'verifyDocument', 404>): string => error.message
export const operation: OperationId = 'createSigningLink'
export const outcome: OutcomeId = 'createSigningLink:404'
export const scenario: ScenarioName = 'service-down'

export async function mistakes(world: MockSandbox): Promise<void> {
  // @ts-expect-error: no operation has this name
  await world.scenarios.activate('addOrganisationMember:409')
  // @ts-expect-error: the operation declares no 418
  await world.scenarios.activate('addOrganizationMember:418')
  // @ts-expect-error: no operation has this name
  await world.requests({ operation: 'verifyDocuments' })
  // @ts-expect-error: there is no such option
  await startMockServer({ prot: 1 })
  // @ts-expect-error: the operation declares no 413
  const body: ResponseOf<'verifyDocument', 413> = {}
  // @ts-expect-error: user_uuid is missing
  const request: RequestOf<'verifyDocument'>['form'] = { code: 'DOC-2025-0001' }
  // @ts-expect-error: code and file are missing
  const nothing: RequestOf<'verifyDocument'>['form'] = { user_uuid: '' }
  // @ts-expect-error: the key of the organization is missing
  await world.state.patch({ organizations: [{ name: 'Renamed' }] })
  // @ts-expect-error: a key is no collection
  await world.state.remove('counters', 'users')
  void [body, request, nothing]
}
