import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/** What of the repository the program reads, and the licences. */
const parts = ['package.json', 'openapi.json', 'LICENSE', 'dist', 'fixtures']
/** Sources, doors for imports, and an executable of an earlier build. */
const leftOut = /^fixtures\/source\/|^dist\/countersign\b|^dist\/.*\.(mjs|d\.ts|d\.mts)$/

/** The package as `parcel.ts` reads it: what is in it, and the compressed bytes of all files. */
export async function pack(root) {
  const files = [...(await filesOf(root)), ...(await licenceOfNode())]
  const contents = Buffer.concat(files.map(({ bytes }) => bytes))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const listed = files.map(({ path, bytes }) => ({ path, size: bytes.length }))
  const digest = createHash('sha256').update(JSON.stringify(listed)).update(contents).digest('hex').slice(0, 16)
  return {
    manifest: { folder: `${version}-${digest}`, files: listed },
    content: await promisify(brotliCompress)(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    size: contents.length,
  }
}

async function filesOf(root) {
  const found = await Promise.all(parts.map((part) => pathsOf(root, part)))
  const paths = found.flat().filter((path) => !leftOut.test(path))
  return Promise.all(paths.sort().map(async (path) => ({ path, bytes: await readFile(join(root, path)) })))
}

/** A file, or all files of a folder, with slashes on every system. */
async function pathsOf(root, part) {
  if (part.includes('.') || part === 'LICENSE') return [part]
  const entries = await readdir(join(root, part), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(join(root, '/').length))
    .map((path) => path.replaceAll('\\', '/'))
}

/** Where Node's own archives and Linux packages have it. */
async function licenceOfNode() {
  const beside = dirname(dirname(process.execPath))
  const places = ['LICENSE', 'share/doc/nodejs/LICENSE', 'share/doc/node/LICENSE'].map((path) => join(beside, path))
  const found = places.find((place) => existsSync(place))
  return found === undefined ? [] : [{ path: 'LICENSE-node.txt', bytes: await readFile(found) }]
}
