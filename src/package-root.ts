import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package's folder, from the sources and from the bundle alike: both stand one level below it. */
export const packageRoot = fileURLToPath(new URL('..', import.meta.url))

/** The text of a style or script that the build puts into dist/assets. */
export function asset(name: string): string {
  return readFileSync(join(packageRoot, 'dist/assets', name), 'utf8')
}

export function version(): string {
  return JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version
}

/**
 * Where the JSON Schema of a format is, seen from a file; undefined where no package is installed above it: a reference
 * that leads nowhere is worse than none.
 */
export function schemaReference(file: string, format: string): string | undefined {
  const installed = foldersFrom(dirname(file))
    .map((one) => join(one, 'node_modules/countersign/dist/schemas'))
    .find((one) => existsSync(one))
  if (installed === undefined) return undefined
  const path = relative(dirname(file), join(installed, `${format}.schema.json`)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

function foldersFrom(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersFrom(above)]
}
