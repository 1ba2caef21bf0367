import { type Annotation, workflowCommands } from '../text/annotation.js'
import type { Io } from './command.js'

/** Whether GitHub Actions runs the command. */
export function inGitHubActions({ environment }: Pick<Io, 'environment'>): boolean {
  return environment.GITHUB_ACTIONS === 'true'
}

/** Prints annotations where a CI system shows them, and nothing anywhere else. */
export function annotate(annotations: readonly Annotation[], print: (text: string) => void, io: Io): void {
  if (!inGitHubActions(io)) return
  for (const line of workflowCommands(annotations, io.environment.GITHUB_WORKSPACE || io.folder)) print(line)
}
