// Writes the program and Node into one file, which runs where neither Node nor npm is installed: dist/countersign, or what
// --out names. The Node that runs this script is the one inside. It takes dist/ as it is: `npm run executable` builds first.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { build } from 'esbuild'
import { pack } from './executable/pack.mjs'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
/** Node looks for it in itself, and finds the program where it ends in 1. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** What each system wants before and after the program is put in. */
const preparations = {
  darwin: (file) => run('codesign', ['--remove-signature', file]),
  // Without its symbols Node is an eighth smaller; not every machine has what takes them out.
  linux: (file) => run('strip', [file]).catch(() => {}),
}
const conclusions = { darwin: (file) => run('codesign', ['--sign', '-', file]) }

const { values } = parseArgs({ options: { out: { type: 'string' } } })
const out = resolve(values.out ?? join(root, `dist/countersign${process.platform === 'win32' ? '.exe' : ''}`))
const unfinished = `${out}.unfinished`
const place = await mkdtemp(join(tmpdir(), 'countersign-executable-'))
try {
  await write()
} catch (error) {
  console.error(error.stderr || error.message)
  process.exitCode = 1
} finally {
  await rm(place, { recursive: true, force: true })
  await rm(unfinished, { force: true })
}

async function write() {
  if (!existsSync(join(root, 'dist/cli.js'))) throw new Error("There is no dist/cli.js. Run 'npm run build' first.")
  if (!(await readFile(process.execPath)).includes(FUSE)) {
    throw new Error(`'${process.execPath}' cannot hold a program. Use Node as https://nodejs.org/ has it.`)
  }
  const { manifest, content, size } = await pack(root)
  const blob = await blobOf(manifest, content)
  await mkdir(dirname(out), { recursive: true })
  await copyFile(process.execPath, unfinished)
  await chmod(unfinished, 0o755)
  await preparations[process.platform]?.(unfinished)
  await inject(unfinished, blob)
  await conclusions[process.platform]?.(unfinished)
  await rename(unfinished, out)
  console.log(
    `${out}: ${megabytes((await stat(out)).size)} with Node ${process.version}; ${manifest.files.length} files, ${megabytes(size)} unpacked`,
  )
  if (!manifest.files.some(({ path }) => path === 'LICENSE-node.txt')) {
    console.log("Node's licence was not found beside it: pass it on with the executable.")
  }
}

/** What Node finds in itself: the main program, and the package. */
async function blobOf(manifest, content) {
  const at = (name) => join(place, name)
  await build({
    entryPoints: [join(root, 'scripts/executable/main.ts')],
    outfile: at('main.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
  })
  await writeFile(at('manifest.json'), JSON.stringify(manifest))
  await writeFile(at('content.br'), content)
  const config = {
    main: at('main.cjs'),
    output: at('program.blob'),
    disableExperimentalSEAWarning: true,
    assets: { manifest: at('manifest.json'), content: at('content.br') },
  }
  await writeFile(at('config.json'), JSON.stringify(config))
  await run(process.execPath, ['--experimental-sea-config', at('config.json')])
  return at('program.blob')
}

/** In a process of its own, since it warns of every section that it does not know. */
async function inject(file, blob) {
  const postject = fileURLToPath(new URL('cli.js', import.meta.resolve('postject')))
  const segment = process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []
  await run(process.execPath, [postject, file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE, ...segment])
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
