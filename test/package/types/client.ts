// A user's code, which check.js compiles with each kind of module resolution.
import type { MockSandbox, MockServerOptions } from 'countersign'
import { connect, InvalidFiles, InvalidOption, startMockServer } from 'countersign'
import type { OperationId, OutcomeId, RequestOf, ResponseOf, ScenarioName } from 'countersign/types'

const options: MockServerOptions = {
  port: 0,
  clock: '2026-01-15T09:30:00Z',
  fixtures: { extends: 'default', users: [] },
}

export async function inProcess(): Promise<number> {
  const mock = await startMockServer(options)
  const sandbox: MockSandbox = await mock.sandbox('worker-3')
  await sandbox.scenarios.activate('addOrganizationMember:409')
  await sandbox.scenarios.activate('gateway:503')
  await sandbox.scenarios.activate('my-scenario')
  await sandbox.scenarios.activate(mock.token as string)
  await sandbox.scenarios.define('slow', { rules: [{ on: '*', answer: { delay: 500 } }], active: true })
  const { links } = await sandbox.outbox.waitFor({ to: 'ada@example.test', timeout: 1_000 })
  const [first] = await sandbox.requests({ operation: 'verifyDocument', status: 422 })
  const fixes: string[] = first?.violations.map(({ fix }) => fix) ?? []
  const response: Response = await sandbox.fetch('/api/v2/credits/histories', { method: 'GET' })
  await sandbox.clock.advance(60_000)
  await sandbox.state.patch({
    organizations: [{ id: 1, name: 'Renamed' }],
    credit_histories: [{ id: '', received_by: null }],
  })
  const stop: () => void = await sandbox.on('exchange', ({ outcome, status }) => void [outcome, status])
  stop()
  await mock.close()
  return response.status + links.accept.length + fixes.length
}

export async function overHttp(): Promise<Date> {
  const mock = await connect('http://127.0.0.1:4010/__admin', { adminToken: 'secret' })
  const sandbox: MockSandbox = await mock.sandbox('worker-3')
  await mock[Symbol.asyncDispose]()
  return sandbox.clock.now()
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

export async function mistakes(sandbox: MockSandbox): Promise<void> {
  // @ts-expect-error: no operation has this name
  await sandbox.scenarios.activate('addOrganisationMember:409')
  // @ts-expect-error: the operation declares no 418
  await sandbox.scenarios.activate('addOrganizationMember:418')
  // @ts-expect-error: no operation has this name
  await sandbox.requests({ operation: 'verifyDocuments' })
  // @ts-expect-error: there is no such option
  await startMockServer({ prot: 1 })
  // @ts-expect-error: the operation declares no 413
  const body: ResponseOf<'verifyDocument', 413> = {}
  // @ts-expect-error: user_uuid is missing
  const request: RequestOf<'verifyDocument'>['form'] = { code: 'DOC-2025-0001' }
  // @ts-expect-error: code and file are missing
  const empty: RequestOf<'verifyDocument'>['form'] = { user_uuid: '' }
  // @ts-expect-error: the key of the organization is missing
  await sandbox.state.patch({ organizations: [{ name: 'Renamed' }] })
  // @ts-expect-error: 'counters' is not a collection
  await sandbox.state.remove('counters', 'users')
  void [body, request, empty]
}
