import { startMockServer } from 'countersign'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    countersign: { url: string; token: string }
  }
}

/** One server for the whole run: `test.globalSetup` in vitest.config.ts names this file. */
export default async function setup(project: TestProject) {
  const mock = await startMockServer({ port: 0 })
  project.provide('countersign', { url: mock.url, token: mock.token })
  return () => mock.close()
}
