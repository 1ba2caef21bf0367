// Runs the examples as a user would, each in its own folder with its framework and this package from its tarball.
// `npm run test:examples -- vitest msw` runs those alone, `-- --without next` all others, `-- --quick` no frameworks.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findBrowser, INSTALL_BROWSER } from '../test/find-browser.mjs'

const run = promisify(execFile)
const CHROMIUM = findBrowser()
/** Those whose example a page shows as a whole, each with its page. */
const PAGES = {
  'node-test': 'test-suites',
  vitest: 'vitest',
  jest: 'test-suites',
  playwright: 'playwright',
  msw: 'msw',
}
const NEED_BROWSER = ['playwright', 'next']

const examples = (await readdir('examples')).map((name) => `examples/${name}`)
const folders = [...examples, 'test/package', 'test/package/environments'].filter((folder) =>
  existsSync(join(folder, 'package.json')),
)
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'))
/** Whether the names on the command line are those that do not run. */
const isWithout = process.argv.includes('--without')
const isQuick = process.argv.includes('--quick')
const place = await mkdtemp(join(tmpdir(), 'countersign-examples-'))
const results = { passed: 0, failed: 0 }
try {
  const tarball = await pack()
  for (const folder of folders.filter((one) => named.length === 0 || named.includes(basename(one)) !== isWithout))
    await attempt(folder, tarball)
} finally {
  await rm(place, { recursive: true, force: true })
}
console.log(`# { total: ${results.passed + results.failed}, pass: ${results.passed}, fail: ${results.failed} }`)
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
  if (NEED_BROWSER.includes(name) && CHROMIUM === undefined && process.env.REQUIRE_BROWSER !== '1') {
    console.log(`skipped: ${folder}, since there is no browser: ${INSTALL_BROWSER}`)
    return
  }
  const cwd = join(place, name)
  await cp(folder, cwd, { recursive: true, filter: (file) => !file.includes('node_modules') })
  try {
    const locked = existsSync(join(cwd, 'package-lock.json'))
    await run('npm', locked ? ['ci', '--silent'] : ['install', '--silent', '--no-package-lock'], { cwd })
    if (name === 'package')
      await run('npm', ['install', '--silent', '--no-save', '--no-package-lock', tarball], { cwd })
    else await unpack(tarball, join(cwd, 'node_modules'))
    const { scripts } = (await import(join(cwd, 'package.json'), { with: { type: 'json' } })).default
    // What else a framework's example has, its page runs.
    const all = name in PAGES ? /^test$/ : isQuick ? /^test(?!:frameworks)/ : /^test/
    for (const script of Object.keys(scripts).filter((one) => all.test(one)))
      await run('npm', ['run', script], {
        cwd,
        env: { ...process.env, ...(CHROMIUM && { CHROMIUM }), TARBALL: tarball },
        maxBuffer: 2 ** 26,
      })
    if (name in PAGES) await follow(name, cwd)
    results.passed++
    console.log(`passed: ${folder}, ${seconds(started)}`)
  } catch ({ message, stdout = '', stderr = '' }) {
    results.failed++
    console.log(`failed: ${folder}, ${seconds(started)}\n${message}\n${stdout}\n${stderr}`)
  }
}

/** Puts the package where npm would install it, which is done once: it has no dependencies. */
async function unpack(tarball, modules) {
  await mkdir(join(modules, '.bin'), { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', modules])
  await rename(join(modules, 'package'), join(modules, 'countersign'))
  await symlink('../countersign/dist/cli.js', join(modules, '.bin/countersign'))
}

/** Follows what a page says of a framework from an empty folder, as typed; what it installs is what its example has installed. */
async function follow(name, installed) {
  const cwd = join(place, `${name}-page`)
  await mkdir(cwd)
  await symlink(join(installed, 'node_modules'), join(cwd, 'node_modules'))
  const sections = (await readFile(`docs/${PAGES[name]}.md`, 'utf8')).split(/^(?=## )/m)
  const shown = sections.filter((section) => section.includes(` examples/${name}/`)).join('')
  for (const [, language, file, text] of shown.matchAll(/^```(\w+)(?: examples\/\w+\/(\S+))?\n([\s\S]*?)^```$/gm)) {
    if (file !== undefined) {
      await mkdir(dirname(join(cwd, file)), { recursive: true })
      await writeFile(join(cwd, file), text)
    } else if (language === 'sh')
      for (const line of text
        .trim()
        .split('\n')
        .filter((one) => !/^(?:npm|npx playwright) install /.test(one)))
        await run('sh', ['-c', line], {
          cwd,
          env: { ...process.env, ...(CHROMIUM && { CHROMIUM }) },
          maxBuffer: 2 ** 26,
        })
  }
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1_000)} kB`
}

function seconds(started) {
  return `${((performance.now() - started) / 1_000).toFixed(1)} s`
}
