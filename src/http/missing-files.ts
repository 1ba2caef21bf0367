import { join, sep } from 'node:path'
import { defaultFixtures, packageRoot } from '../package-root.js'

/** What is loaded when it is first needed stands in these folders. */
const OWN = [join(packageRoot, 'dist'), defaultFixtures].map((folder) => folder + sep)

type FileError = NodeJS.ErrnoException & { readonly requireStack?: readonly string[] }

/** Whether an error says that a file of the package no longer exists. */
export function isOfMissingFiles({ code, path, requireStack: [requiring] = [] }: FileError): boolean {
  if (code === 'MODULE_NOT_FOUND') return isOwn(requiring)
  return code === 'ENOENT' && isOwn(path)
}

function isOwn(file = ''): boolean {
  return OWN.some((folder) => file.startsWith(folder))
}
