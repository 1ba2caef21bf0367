import { resolve } from 'node:path'
import { type Annotation, workflowCommands } from '../text/annotation.js'
import type { Io } from './command.js'

/** Whether GitHub Actions runs the command. */
export function inGitHubActions({ environment }: Pick<Io, 'environment'>): boolean {
  return environment.GITHUB_ACTIONS === 'true'
}

/** Prints annotations where a CI system shows them, and nothing anywhere else. */
export function annotate(annotations: readonly Annotation[], print: (text: string) => void, io: Io): void {
  if (!inGitHubActions(io)) return
  const { environment, folder } = io
  // Complaints name files as the user wrote them.
  const located = annotations.map((one) => (one.file === undefined ? one : { ...one, file: resolve(folder, one.file) }))
  for (const line of workflowCommands(located, environment.GITHUB_WORKSPACE || folder)) print(line)
}
