import { join } from 'node:path'
import { packageRoot } from '../package-root.js'

/** The default world's files that a sample call sends, by media type. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'image/png': join(packageRoot, 'fixtures/files/signature.png'),
  'application/pdf': join(packageRoot, 'fixtures/files/verified.pdf'),
}
