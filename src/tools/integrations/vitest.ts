import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { clientWith, connectTo, partsOf } from './connect.js'
import type { Project, Provided } from './entry-points/vitest.js'
import { sandboxHandle } from './handle.js'
import { journalText } from './journal-text.js'
import type { ApiSandbox, ApiServer, HandlePart, HandleTypes } from './mock-server.js'

type StartAsConfigured<T extends HandleTypes> = (
  options: object,
) => Promise<{ readonly mock: ApiServer<T>; readonly adminToken: string | undefined }>

/**
 * Starts a server for the whole run by the config file and `countersignOptions`, or uses the one of `countersign exec`;
 * `test.globalSetup` is `countersign/vitest`.
 * @throws {Error} if the server at COUNTERSIGN_ADMIN_URL does not answer
 */
export async function setupWith<T extends HandleTypes>(
  part: HandlePart<T>,
  start: StartAsConfigured<T>,
  project: Project,
): Promise<() => Promise<void>> {
  const { COUNTERSIGN_ADMIN_URL: running, COUNTERSIGN_ADMIN_TOKEN } = process.env
  const { mock, adminToken } = running
    ? { mock: await connectTo(part, running), adminToken: COUNTERSIGN_ADMIN_TOKEN }
    : await start(project.config.provide?.countersignOptions ?? {})
  const { adminUrl, token } = mock
  project.provide('countersign', { adminUrl, adminToken, token, project: project.name ?? '' })
  return () => mock.close()
}

/** A test, or the suite that has it. */
interface Task {
  readonly name: string
  readonly suite?: Task | undefined
  readonly file?: { readonly name: string; readonly filepath?: string }
}

/** The part of Vitest that a test file uses. */
export interface Runner {
  inject(key: 'countersign'): Provided | undefined
  beforeEach(run: (context: { task: Task; onTestFailed: (run: () => Promise<void>) => void }) => Promise<void>): void
  /** Its state has the test file that is being loaded. */
  readonly expect: { getState(): { readonly testPath?: string } }
}

let made = 0

/**
 * A sandbox for the tests of one file; `report` prints text with the result of a test.
 * @throws {Error} if the global setup did not run
 */
export function useSandboxWith<T extends HandleTypes>(
  part: HandlePart<T>,
  { inject, beforeEach, expect }: Runner,
  report: (text: string) => void,
): ApiSandbox<T> {
  const provided = inject('countersign')
  if (provided === undefined)
    throw new Error(
      "useSandbox() found no server. Add globalSetup: ['countersign/vitest'] to the test options of your Vitest config.",
    )
  const { project, adminUrl, adminToken, token } = provided
  const name = nameOf(project, expect.getState().testPath ?? `worker-${process.env.VITEST_POOL_ID}`, ++made)
  const { serverUrl } = partsOf(adminUrl)
  const sandbox = sandboxHandle({ client: clientWith(adminToken), serverUrl, part }, name, token)
  beforeEach(async ({ task, onTestFailed }) => {
    const { name, filepath } = task.file ?? {}
    const title = [name ?? [], namesOf(task)].flat().join(' > ')
    await sandbox.reset({ title, ...(filepath && { file: filepath }) })
    onTestFailed(async () => report(journalText(await sandbox.requests())))
  })
  return sandbox
}

/** The names of a test's suites and its own, from the outside in. */
function namesOf({ name, suite }: Task): readonly string[] {
  return suite === undefined ? [name] : [...namesOf(suite), name]
}

/** Stable for each file, so that links are stable too; a digest, because names must be short. */
function nameOf(project: string, file: string, nth: number): string {
  const readable = `${project}-${basename(file)}`
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 40)
  return `${readable}-${createHash('sha256').update(file).digest('hex').slice(0, 8)}-${nth}`
}
