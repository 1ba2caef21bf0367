import { realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { type Annotation, nameWithin, workflowCommands } from '../text/annotation.js'
import type { Io } from './command.js'

/** Whether GitHub Actions runs the command. */
export function inGitHubActions({ environment }: Pick<Io, 'environment'>): boolean {
  return environment.GITHUB_ACTIONS === 'true'
}

/** Prints annotations where a CI system shows them, and nothing anywhere else. */
export function annotate(annotations: readonly Annotation[], print: (text: string) => void, io: Io): void {
  if (!inGitHubActions(io)) return
  const { environment, folder } = io
  const workspace = environment.GITHUB_WORKSPACE || folder
  // Complaints name files as the user wrote them.
  const located = annotations.map((one) =>
    one.file === undefined ? one : { ...one, file: placeIn(workspace, resolve(folder, one.file)) },
  )
  for (const line of workflowCommands(located, workspace)) print(line)
}

/** A file by its name in the workspace, where either is called by way of a symbolic link. */
function placeIn(workspace: string, file: string): string {
  if (nameWithin(workspace, file) !== undefined) return file
  const name = nameWithin(realPath(workspace), realPath(file))
  return name === undefined ? file : join(workspace, name)
}

/** Of a file that is not there, that of its folder. */
function realPath(file: string): string {
  for (const path of [file, dirname(file)]) {
    try {
      return join(realpathSync.native(path), relative(path, file))
    } catch {
      // The next may be there.
    }
  }
  return file
}
