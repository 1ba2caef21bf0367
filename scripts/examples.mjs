// Runs the examples as a user would, each in its own folder with its framework and this package from its tarball.
// `npm run test:examples -- vitest msw` runs only these, `-- --without next` all others; `-- --quick` skips `test:frameworks`.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findBrowser, INSTALL_BROWSER } from '../test/find-browser.mjs'

const run = promisify(execFile)
const CHROMIUM = findBrowser()
/** Examples that a page of docs/ shows in full, with the page. */
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
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const excludesNames = process.argv.includes('--without')
const isQuick = process.argv.includes('--quick')
const tempFolder = await mkdtemp(join(tmpdir(), 'countersign-examples-'))
const results = { passed: 0, failed: 0 }
try {
  const tarball = await pack()
  for (const folder of folders.filter((one) => names.length === 0 || names.includes(basename(one)) !== excludesNames))
    await runExample(folder, tarball)
} finally {
  await rm(tempFolder, { recursive: true, force: true })
}
console.log(`# { total: ${results.passed + results.failed}, pass: ${results.passed}, fail: ${results.failed} }`)
process.exitCode = results.failed > 0 ? 1 : 0

/** Packs the package as npm would publish it; returns the tarball's path. */
async function pack() {
  const { stdout } = await run('npm', ['pack', '--json', '--silent', '--pack-destination', tempFolder], {
    maxBuffer: 2 ** 26,
  })
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(stdout.slice(stdout.indexOf('[')))
  console.log(`${filename}: ${entryCount} files, ${kilobytes(size)}, ${kilobytes(unpackedSize)} unpacked`)
  return join(tempFolder, filename)
}

async function runExample(folder, tarball) {
  const name = basename(folder)
  const started = performance.now()
  if (NEED_BROWSER.includes(name) && CHROMIUM === undefined && process.env.REQUIRE_BROWSER !== '1') {
    console.log(`skipped: ${folder}, no browser found: ${INSTALL_BROWSER}`)
    return
  }
  const cwd = join(tempFolder, name)
  await cp(folder, cwd, { recursive: true, filter: (file) => !file.includes('node_modules') })
  try {
    const locked = existsSync(join(cwd, 'package-lock.json'))
    await run('npm', locked ? ['ci', '--silent'] : ['install', '--silent', '--no-package-lock'], { cwd })
    if (name === 'package')
      await run('npm', ['install', '--silent', '--no-save', '--no-package-lock', tarball], { cwd })
    else await unpack(tarball, join(cwd, 'node_modules'))
    const { scripts } = (await import(join(cwd, 'package.json'), { with: { type: 'json' } })).default
    // The other scripts of an example with a page run in followPage, as the page shows them.
    const scriptPattern = name in PAGES ? /^test$/ : isQuick ? /^test(?!:frameworks)/ : /^test/
    for (const script of Object.keys(scripts).filter((one) => scriptPattern.test(one)))
      await run('npm', ['run', script], {
        cwd,
        env: { ...process.env, ...(CHROMIUM && { CHROMIUM }), TARBALL: tarball },
        maxBuffer: 2 ** 26,
      })
    if (name in PAGES) await followPage(name, cwd)
    results.passed++
    console.log(`passed: ${folder}, ${seconds(started)}`)
  } catch ({ message, stdout = '', stderr = '' }) {
    results.failed++
    console.log(`failed: ${folder}, ${seconds(started)}\n${message}\n${stdout}\n${stderr}`)
  }
}

/** Unpacks the package where npm would install it: it has no dependencies. */
async function unpack(tarball, modules) {
  await mkdir(join(modules, '.bin'), { recursive: true })
  await run('tar', ['-xzf', tarball, '-C', modules])
  await rename(join(modules, 'package'), join(modules, 'countersign'))
  await symlink('../countersign/dist/cli.js', join(modules, '.bin/countersign'))
}

/** Writes a page's files into an empty folder and runs its commands, with the packages that its example has installed. */
async function followPage(name, installed) {
  const cwd = join(tempFolder, `${name}-page`)
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
