import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { startMockServer } from '../../src/index.js'
import { addressOf, CLI, type Ended, folder, launch, type Running } from '../binary.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const suite = fileURLToPath(new URL('suite.mjs', import.meta.url))
const MINE = 'http://127.0.0.1:4010'
/** Asks the server on the usual port. */
const HEALTH = /countersign health$/

/** Programs that stand for those of a reader's machine. */
const programs: Readonly<Record<string, string>> = {
  countersign: `exec "${process.execPath}" "${CLI}" "$@"`,
  // Other programs that npx runs are frameworks: test:examples runs those.
  npx: `case "$1" in countersign) shift; exec countersign "$@";; vitest|jest|playwright|cypress) exec npm test;; *) echo "npx does not know $1" >&2; exit 1;; esac`,
  './countersign': 'exec countersign "$@"',
  './gradlew': 'exec npm test',
  mkcert: `while [ $# -gt 0 ]; do
      case "$1" in -cert-file) cert=$2; shift;; -key-file) key=$2; shift;; esac; shift
    done
    [ -z "$cert" ] || exec openssl req -x509 -newkey rsa:2048 -nodes -keyout "$key" -out "$cert" -days 2 -subj /CN=localhost`,
  // A suite that meets what the pages ask for.
  npm: `[ "$1" = test ] || { echo "npm does not know $1" >&2; exit 1; }
    exec "${process.execPath}" "${suite}"`,
}

/** What pages take for granted. */
const FILES: Readonly<Record<string, string>> = {
  'conf/ci.yaml': 'version: 1\nstrict: true\n',
  'data.yaml': 'listCreditHistories: { query: { organization_uuid: 1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20 } }\n',
}

/** Somebody who follows a page word by word, in an empty folder. */
export class Reader {
  readonly folder: string
  readonly #t: Test
  readonly #services: string
  #server: Running | undefined
  #url: string | undefined

  private constructor(t: Test, service: string) {
    this.#t = t
    this.#services = service
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

  /** A reader for whom each service that a page names is one of these. */
  static async on(t: Test): Promise<Reader> {
    const service = await startMockServer({ port: 0, interpretations: { errorBody: 'flat', unknownSort: 'ignore' } })
    t.teardown(() => service.close())
    return new Reader(t, service.url)
  }

  /** Writes a file into the folder. */
  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true })
    writeFileSync(join(this.folder, name), text)
  }

  /** Copies the scripts of an example into the folder. */
  copy(example: string): void {
    for (const file of readdirSync(example).filter((name) => name.endsWith('.mjs')))
      cpSync(join(example, file), join(this.folder, file))
  }

  /** Types a command line, and waits for its end; a server is left running until the next one. */
  async type(line: string): Promise<Ended> {
    const here = this.#addressed(line).replace(/ &$/, '')
    if (isServer(line)) return this.#serve(here)
    if ((here.includes(MINE) || HEALTH.test(here)) && !this.#url?.startsWith('http:')) await this.#serve('countersign')
    const typed = this.#addressed(line).replaceAll(MINE, this.#url ?? MINE)
    return this.#run(typed.replace(HEALTH, `$& ${this.#url}`)).ended
  }

  /** Runs a program of Node's. */
  node(args: readonly string[]): Promise<Ended> {
    return launch(this.#t, process.execPath, args, { cwd: this.folder }).ended
  }

  /** The services of a page are those that run here. */
  #addressed(line: string): string {
    return line
      .replaceAll('https://signing.example.test/base', this.#services)
      .replaceAll('https://api.example.test', this.#services)
  }

  async #serve(line: string): Promise<Ended> {
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

  #run(line: string): Running {
    const tokens = { TOKEN: 'token-admin', REAL_TOKEN: 'token-admin', COUNTERSIGN_TOKEN: 'token-admin' }
    const env = { PATH: `${join(this.folder, 'bin')}:${process.env.PATH}`, HOME: this.folder, ...tokens }
    return launch(this.#t, 'sh', ['-c', line], { cwd: this.folder, env })
  }
}

/** Whether a command line starts a server that runs until it is interrupted. */
function isServer(line: string): boolean {
  return /^(npx |\.\/)?countersign( start)?( -|$)/.test(line) && !/ (--help|--version|-V|-h)\b/.test(line)
}

/** What a page shows in a frame of its own. */
export interface Block {
  readonly page: string
  /** Of its first line. */
  readonly line: number
  readonly language: string
  /** What it is, as the word after its language says; empty where there is none. */
  readonly kind: string
  readonly text: string
}

/** Whatever users read, by its path in the package. */
export const pages = [
  'README.md',
  'AGENTS.md',
  'examples/README.md',
  'fixtures/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && !['index.md', 'architecture.md'].includes(name))
    .map((name) => `docs/${name}`),
]

export const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** The blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const text = textOf(page)
  return Array.from(text.matchAll(/^```(\w*)(?: (.+))?\n([\s\S]*?)^```$/gm), (found) => {
    const [, language = '', kind = '', inside = ''] = found
    return { page, line: text.slice(0, found.index).split('\n').length, language, kind, text: inside }
  })
}
