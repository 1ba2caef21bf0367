import { lstatSync } from 'node:fs'

const GROUP_OR_OTHERS_WRITE = 0o022
const OTHERS_WRITE = 0o002
const STICKY = 0o1000
const ROOT = 0

/** Why code is not loaded from there; undefined for a folder of this user's that nobody else can write to. */
export function distrust(folder: string): string | undefined {
  const found = lstatSync(folder)
  if (found.isSymbolicLink()) return 'it is a symbolic link'
  if (!found.isDirectory()) return 'it is not a folder'
  // Windows has neither; what is below %LOCALAPPDATA% is the user's alone.
  if (process.getuid === undefined) return undefined
  if (found.uid !== process.getuid()) return 'it belongs to another user'
  return found.mode & GROUP_OR_OTHERS_WRITE ? 'others can write to it' : undefined
}

/** Whether others can put a folder of theirs in the place of one of ours that is in there. */
export function isOpenToSwaps(folder: string): boolean {
  if (process.getuid === undefined) return false
  const { uid, mode } = lstatSync(folder)
  if (uid !== process.getuid() && uid !== ROOT) return true
  return (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0
}
