import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package's folder: sources and bundle are both one level below it. */
export const packageRoot = fileURLToPath(new URL('..', import.meta.url))

/** Reads a style or script that the build puts into dist/assets. */
export function asset(name: string): string {
  return readFileSync(join(packageRoot, 'dist/assets', name), 'utf8')
}

export function packageVersion(): string {
  return JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version
}

/** Returns the path from a file to the JSON Schema of its format, or undefined if no folder above has the package. */
export function schemaReference(file: string, format: string): string | undefined {
  const schemas = selfAndParents(dirname(file))
    .map((folder) => join(folder, 'node_modules/countersign/dist/schemas'))
    .find((folder) => existsSync(folder))
  if (schemas === undefined) return undefined
  const path = relative(dirname(file), join(schemas, `${format}.schema.json`)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}

function selfAndParents(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...selfAndParents(parent)]
}
