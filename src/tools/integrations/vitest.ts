import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { clientWith, connectTo, parseAdminUrl } from './connect.js'
import type { Project, Provided } from './entry-points/vitest.js'
import { sandboxHandle } from './handle.js'
import { journalText } from './journal-text.js'
import type { ApiSandbox, ApiServer, HandlePart, HandleTypes } from './mock-server.js'

type StartAsConfigured<T extends HandleTypes> = (
  options: object,
) => Promise<{ readonly mock: ApiServer<T>; readonly adminToken: string | undefined }>

/** Uses the server of `countersign exec`, or starts one. @throws {Error} if that server does not answer */
export async function setupWith<T extends HandleTypes>(
  part: HandlePart<T>,
  start: StartAsConfigured<T>,
  project: Project,
): Promise<() => Promise<void>> {
  const { COUNTERSIGN_ADMIN_URL, COUNTERSIGN_ADMIN_TOKEN } = process.env
  const { mock, adminToken } = COUNTERSIGN_ADMIN_URL
    ? { mock: await connectTo(part, COUNTERSIGN_ADMIN_URL), adminToken: COUNTERSIGN_ADMIN_TOKEN }
    : await start(project.config.provide?.countersignOptions ?? {})
  const { adminUrl, token } = mock
  project.provide('countersign', { adminUrl, adminToken, token, project: project.name ?? '' })
  return () => mock.close()
}

/** A test or a suite. */
interface Task {
  readonly name: string
  readonly suite?: Task | undefined
  readonly file?: { readonly name: string; readonly filepath?: string }
}

export interface Runner {
  inject(key: 'countersign'): Provided | undefined
  beforeEach(run: (context: { task: Task; onTestFailed: (run: () => Promise<void>) => void }) => Promise<void>): void
  /** Has the path of the file that is loading. */
  readonly expect: { getState(): { readonly testPath?: string } }
}

let sandboxCount = 0

/** `report` adds text to the output of a failed test. @throws {Error} without the global setup */
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
  const name = sandboxName(
    project,
    expect.getState().testPath ?? `worker-${process.env.VITEST_POOL_ID}`,
    ++sandboxCount,
  )
  const { serverUrl } = parseAdminUrl(adminUrl)
  const sandbox = sandboxHandle({ client: clientWith(adminToken), serverUrl, part }, name, token)
  beforeEach(async ({ task, onTestFailed }) => {
    const { name: file, filepath } = task.file ?? {}
    const title = [...(file === undefined ? [] : [file]), ...namePath(task)].join(' > ')
    await sandbox.reset({ title, ...(filepath && { file: filepath }) })
    onTestFailed(async () => report(journalText(await sandbox.requests())))
  })
  return sandbox
}

/** From the outermost suite to the test. */
function namePath({ name, suite }: Task): readonly string[] {
  return suite === undefined ? [name] : [...namePath(suite), name]
}

/** The digest separates files with the same name; links survive a rerun. */
function sandboxName(project: string, file: string, nth: number): string {
  const readable = `${project}-${basename(file)}`
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[-.]+/, '')
    .slice(0, 40)
  return `${readable}-${createHash('sha256').update(file).digest('hex').slice(0, 8)}-${nth}`
}
