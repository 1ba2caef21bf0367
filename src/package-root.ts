import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package's folder, from the sources and from the bundle alike: both stand one level below it. */
export const packageRoot = fileURLToPath(new URL('..', import.meta.url))

/** The default world, and the scenarios that ship with it. */
export const defaultFixtures = join(packageRoot, 'fixtures')
export const shippedScenarios = join(defaultFixtures, 'scenarios')

/** The text of a style or script that the build puts into dist/assets. */
export function asset(name: string): string {
  return readFileSync(join(packageRoot, 'dist/assets', name), 'utf8')
}

/** The version in package.json. */
export function version(): string {
  return JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).version
}
