import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { contracts } from '../../schemas/contracts.js'
import { startMockServer } from '../../src/index.js'
import { addressOf, CLI, type Exit, folder, launch, type Program } from '../binary.js'
import { run } from '../command-line.js'
import { type Block, blocksOf, pages } from './pages.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Commands that other tests run: .ci/run, and the tests of the examples. */
const ELSEWHERE =
  /^(npm pack|docker (build|run)|countersign mutate|npm install -D|npm ci && npm (start|test)|npm run [\w:]+|npm (ci|test|start|run dev)|npm install|npm init -y|npm pkg set|npx playwright install|npx vitest run( --environment jsdom)?$|node --test$)(\s|$)/

type Check = (t: Test, block: Block, reader: Reader) => Promise<void>

/** The check of each kind of block, by language and kind; pages may have no other kind. */
const checks: Readonly<Record<string, Check>> = {
  text: async () => {},
  yaml: async (t, { text }) => void t.ok(parse(text)),
  sh: async (t, { text }, reader) => {
    for (const line of linesOf(text)) {
      if (ELSEWHERE.test(line)) {
        const script = /npm run ([\w:-]+)/.exec(line)?.[1]
        t.ok(script === undefined || JSON.parse(read('package.json')).scripts[script], `${line} is a script`)
        continue
      }
      const { code, out, err } = await reader.type(line)
      t.equal(code, 0, line, { out, err })
    }
  },
  'js run': async (t, { text }, reader) => {
    const { code, out, err } = await reader.node(['--input-type=module', '--eval', text])
    t.equal(code, 0, 'it runs', { out, err })
    for (const [, message = ''] of text.matchAll(/console\.log\(.*\) ?\)?(?:\/\/ (.+))$/gm))
      t.match(out, message, `it prints ${message}`)
  },
  // The module only has to load: another program uses it.
  'js module': async (_, { text, line }, reader) => void (await reader.module(`module-${line}.mjs`, text)),
  'js proxy': async (t, { text, line }, reader) => {
    const { rewrites, server } = (await reader.module(`proxy-${line}.mjs`, text)) as ProxyConfig
    forwardsAll(t, rewrites === undefined ? Object.keys(server.proxy) : (await rewrites()).map(({ source }) => source))
  },
  'json proxy': async (t, { text }) => forwardsAll(t, JSON.parse(text)[0].context),
  'json exchange': async (t, { text }) => {
    await using mock = await startMockServer({ port: 0 })
    await mock.fetch('/api/v2/projects/1/link?__code=401', { method: 'POST' })
    const [exchange] = await mock.requests()
    const { at, duration, request, response, ...shown } = JSON.parse(text)
    t.match(exchange, shown, 'the exchange has these values')
    t.strictSame(Object.keys(exchange ?? {}), Object.keys(JSON.parse(text)), 'the exchange has these keys')
  },
  'ts types': async (t, { text }) => {
    const scratch = join(root, 'test/pages/scratch')
    mkdirSync(scratch, { recursive: true })
    t.teardown(() => rmSync(scratch, { recursive: true, force: true }))
    writeFileSync(join(scratch, 'snippet.ts'), text)
    const paths = {
      countersign: ['../../../src/index.ts'],
      'countersign/types': ['../../../src/types.ts'],
    }
    const compilerOptions = { noEmit: true, paths, rootDir: '../../..' }
    const config = { extends: '../../../tsconfig.json', compilerOptions, include: ['snippet.ts'] }
    writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(config))
    const { code, out } = await launch(t, join(root, 'node_modules/.bin/tsc'), ['-p', scratch]).ended
    t.equal(code, 0, 'it compiles', { out })
  },
  'yaml config': (t, { text }, reader) => validates(t, reader, 'countersign.config.yaml', text, []),
  'yaml scenario': (t, { text, line }, reader) => validates(t, reader, `scenarios/line-${line}.yaml`, text, []),
  'json fixtures': (t, { text }, reader) =>
    validates(t, reader, 'fixtures.json', text, ['--fixtures', 'fixtures.json']),
  'yaml data': async (t, { text }, reader) => {
    reader.write('shown.yaml', text)
    // The records do not exist in the default fixtures: the file only has to be readable.
    const target = '--target https://api.example.test --token token-admin'
    const line = `countersign verify ${target} --data shown.yaml --only listCreditHistories`
    const { code, out, err } = await reader.type(line)
    t.equal(code, 0, 'verify accepts it', { out, err })
  },
  'yaml workflow': async (t, { text }) => {
    const { inputs, outputs } = parse(read('action.yml'))
    const steps = [parse(text)].flat().flatMap((part) => part.steps ?? part)
    for (const { uses = '', with: passed = {} } of steps.filter((step) => /countersign@/.test(step.uses ?? '')))
      for (const name of Object.keys(passed)) t.ok(name in inputs, `${uses} takes ${name}`)
    for (const [, output = ''] of text.matchAll(/outputs\.(\w+)/g)) t.ok(output in outputs, `${output} is an output`)
  },
}

interface ProxyConfig {
  readonly rewrites?: () => Promise<{ readonly source: string }[]>
  readonly server: { readonly proxy: Readonly<Record<string, unknown>> }
}

function forwardsAll(t: Test, sources: readonly string[]): void {
  const prefixes = sources.map((one) => one.replace(/:.*/, ''))
  for (const path of [...contracts.map((one) => one.path), '/sign/1', '/invitations/1', '/~worker-3/api/v2/x'])
    t.ok(
      prefixes.some((one) => path.startsWith(one)),
      `${path} is forwarded`,
    )
}

async function validates(t: Test, reader: Reader, file: string, text: string, args: readonly string[]): Promise<void> {
  reader.write(file, text)
  const { code, err } = await run(t, ['validate', ...args], { cwd: reader.folder })
  t.equal(code, 0, `${file} is valid`, { err })
}

/** The command lines of a block, without comments; a backslash continues a line. */
function linesOf(text: string): string[] {
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines.map((line) => line.replace(/\s+#.*$/, '').trim()).filter((line) => line !== '')
}

const suite = fileURLToPath(new URL('suite.mjs', import.meta.url))
const SHOWN_URL = 'http://127.0.0.1:4010'
const HEALTH = /countersign health$/

const programs: Readonly<Record<string, string>> = {
  countersign: `exec "${process.execPath}" "${CLI}" "$@"`,
  // test:examples runs the frameworks that npx starts.
  npx: `case "$1" in countersign) shift; exec countersign "$@";; vitest|jest|playwright|cypress) exec npm test;; *) echo "npx does not know $1" >&2; exit 1;; esac`,
  './countersign': 'exec countersign "$@"',
  './gradlew': 'exec npm test',
  mkcert: `while [ $# -gt 0 ]; do
      case "$1" in -cert-file) cert=$2; shift;; -key-file) key=$2; shift;; esac; shift
    done
    [ -z "$cert" ] || exec openssl req -x509 -newkey rsa:2048 -nodes -keyout "$key" -out "$cert" -days 2 -subj /CN=localhost`,
  // A suite that meets the gates of all pages.
  npm: `[ "$1" = test ] || { echo "npm does not know $1" >&2; exit 1; }
    exec "${process.execPath}" "${suite}"`,
}

const FILES: Readonly<Record<string, string>> = {
  'conf/ci.yaml': 'version: 1\nstrict: true\n',
  'data.yaml': 'listCreditHistories: { query: { organization_uuid: 1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20 } }\n',
}

/** Follows a page step by step, in an empty folder. */
class Reader {
  readonly folder: string
  readonly #t: Test
  readonly #serviceUrl: string
  #server: Program | undefined
  #url: string | undefined

  private constructor(t: Test, serviceUrl: string) {
    this.#t = t
    this.#serviceUrl = serviceUrl
    this.folder = folder(t)
    for (const name of ['bin', 'node_modules', 'scenarios', '.cache/countersign'])
      mkdirSync(join(this.folder, name), { recursive: true })
    symlinkSync(root, join(this.folder, 'node_modules/countersign'))
    cpSync(join(root, 'fixtures/files/verified.pdf'), join(this.folder, 'known.pdf'))
    const filter = (file: string) => !/\/(source|scenarios|files|README\.md)$/.test(file)
    cpSync(join(root, 'fixtures'), join(this.folder, 'fixtures'), { recursive: true, filter })
    for (const [name, text] of Object.entries(FILES)) this.write(name, text)
    for (const [name, script] of Object.entries(programs)) {
      const file = join(this.folder, name.startsWith('./') ? '' : 'bin', name)
      writeFileSync(file, `#!/bin/sh\n${script}\n`)
      chmodSync(file, 0o755)
    }
  }

  static async on(t: Test): Promise<Reader> {
    const service = await startMockServer({ port: 0, interpretations: { errorBody: 'flat', unknownOrganization: 404 } })
    t.teardown(() => service.close())
    return new Reader(t, service.url)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true })
    writeFileSync(join(this.folder, name), text)
  }

  async module(file: string, text: string): Promise<unknown> {
    this.write(file, text)
    return (await import(pathToFileURL(join(this.folder, file)).href)).default
  }

  copy(example: string): void {
    for (const file of readdirSync(example).filter((name) => name.endsWith('.mjs')))
      cpSync(join(example, file), join(this.folder, file))
  }

  /** Runs a command line to its end; a server keeps running until the next one starts. */
  async type(line: string): Promise<Exit> {
    const command = this.#withServiceUrl(line).replace(/ &$/, '')
    if (isServer(line)) return this.#serve(command)
    const needsServer = command.includes(SHOWN_URL) || HEALTH.test(command)
    if (needsServer && !this.#url?.startsWith('http:')) await this.#serve('countersign')
    const typed = this.#withServiceUrl(line).replaceAll(SHOWN_URL, this.#url ?? SHOWN_URL)
    return this.#run(typed.replace(HEALTH, `$& ${this.#url}`)).ended
  }

  node(args: readonly string[]): Promise<Exit> {
    return launch(this.#t, process.execPath, args, { cwd: this.folder }).ended
  }

  #withServiceUrl(line: string): string {
    return line
      .replaceAll('https://signing.example.test/base', this.#serviceUrl)
      .replaceAll('https://api.example.test', this.#serviceUrl)
  }

  async #serve(line: string): Promise<Exit> {
    await this.#end()
    const [, program = ''] = /^((?:npx |\.\/)?countersign(?: start)?)/.exec(line) ?? []
    const options = line.slice(program.length).replace(/ --port \d+/, '')
    this.#server = this.#run(`exec ${program.replace(/npx |\.\//, '')}${options} --port 0`)
    this.#url = await addressOf(this.#server)
    return { code: 0, signal: null, out: this.#server.out(), err: this.#server.err() }
  }

  async #end(): Promise<void> {
    this.#server?.child.kill()
    await this.#server?.ended
  }

  #run(line: string): Program {
    const tokens = { TOKEN: 'token-admin', REAL_TOKEN: 'token-admin', COUNTERSIGN_TOKEN: 'token-admin' }
    const env = { PATH: `${join(this.folder, 'bin')}:${process.env.PATH}`, HOME: this.folder, ...tokens }
    return launch(this.#t, 'sh', ['-c', line], { cwd: this.folder, env })
  }
}

function isServer(line: string): boolean {
  return /^(npx |\.\/)?countersign( start)?( -|$)/.test(line) && !/ (--help|--version|-V|-h)\b/.test(line)
}

for (const page of pages) {
  t.test(`the examples of ${page} work`, async (t) => {
    const reader = await Reader.on(t)
    // A page about an example needs the files of the example.
    for (const [, folder = ''] of read(page).matchAll(/\[`(examples\/\w+)`\]/g)) reader.copy(join(root, folder))
    for (const block of blocksOf(page)) {
      const kind = `${block.language} ${block.kind}`.trim()
      await t.test(`${page}:${block.line} ${kind}`, async (t) => {
        // test:examples runs it, and generate keeps the page up to date.
        if (block.kind.startsWith('examples/')) {
          reader.copy(dirname(join(root, block.kind)))
          return void t.ok(existsSync(join(root, block.kind)), 'the example exists')
        }
        t.ok(checks[kind], 'this kind has a check')
        await checks[kind]?.(t, block, reader)
      })
    }
  })
}
