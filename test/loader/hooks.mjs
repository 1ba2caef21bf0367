// Compiles the sources and the tests as they are imported: the compiler that tap brings takes seconds for each test file.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

const root = new URL('../../', import.meta.url).href

export async function load(url, context, next) {
  const [file] = url.split(/[?#]/)
  if (!file.startsWith(root) || !/\.ts$/.test(file) || file.includes('/node_modules/')) return next(url, context)
  const path = fileURLToPath(file)
  const { code } = await transform(await readFile(path, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcefile: path,
    sourcemap: 'inline',
  })
  return { format: 'module', source: code, shortCircuit: true }
}
