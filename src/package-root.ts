import { fileURLToPath } from 'node:url'

/** The package's folder, from the sources and from the bundle alike: both stand one level below it. */
export const packageRoot = fileURLToPath(new URL('..', import.meta.url))
