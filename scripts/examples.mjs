// Runs the examples as a user would: each in a folder of its own, with its framework, and with this package from its
// tarball. `npm run test:examples -- vitest msw` runs those alone.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { findBrowser, INSTALL_BROWSER } from '../test/run/find-browser.mjs'

const run = promisify(execFile)
const CHROMIUM = findBrowser()

const folders = [...(await readdir('examples')).map((name) => `examples/${name}`), 'test/package'].filter((folder) =>
  existsSync(join(folder, 'package.json')),
)
const wanted = process.argv.slice(2)
const place = await mkdtemp(join(tmpdir(), 'countersign-examples-'))
const results = { passed: 0, failed: 0 }
try {
  const tarball = await pack()
  for (const folder of folders.filter((one) => wanted.length === 0 || wanted.includes(basename(one))))
    await attempt(folder, tarball)
} finally {
  await rm(place, { recursive: true, force: true })
}
console.log(`${results.passed} examples passed, ${results.failed} failed`)
process.exitCode = results.failed > 0 ? 1 : 0

/** The package as it would be published. */
async function pack() {
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', place], {
    maxBuffer: 2 ** 26,
  })
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  console.log(`${filename}: ${entryCount} files, ${kilobytes(size)}, ${kilobytes(unpackedSize)} unpacked`)
  return join(place, filename)
}

async function attempt(folder, tarball) {
  const name = basename(folder)
  const started = performance.now()
  if (name === 'playwright' && CHROMIUM === undefined && process.env.REQUIRE_BROWSER !== '1') {
    console.log(`skipped: ${folder}, since there is no browser: ${INSTALL_BROWSER}`)
    return
  }
  const cwd = join(place, name)
  await cp(folder, cwd, { recursive: true, filter: (file) => !file.includes('node_modules') })
  try {
    if (existsSync(join(cwd, 'package-lock.json'))) await run('npm', ['ci', '--silent'], { cwd })
    await run('npm', ['install', '--silent', '--no-save', '--no-package-lock', tarball], { cwd })
    const scripts = Object.keys((await import(join(cwd, 'package.json'), { with: { type: 'json' } })).default.scripts)
    for (const script of scripts.filter((one) => one.startsWith('test')))
      await run('npm', ['run', script], {
        cwd,
        env: { ...process.env, ...(CHROMIUM && { CHROMIUM }), TARBALL: tarball },
        maxBuffer: 2 ** 26,
      })
    results.passed++
    console.log(`passed: ${folder}, ${seconds(started)}`)
  } catch ({ message, stdout = '', stderr = '' }) {
    results.failed++
    console.log(`failed: ${folder}, ${seconds(started)}\n${message}\n${stdout}\n${stderr}`)
  }
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1_000)} kB`
}

function seconds(started) {
  return `${((performance.now() - started) / 1_000).toFixed(1)} s`
}
