import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { launch } from '../binary.js'
import { run } from '../command-line.js'
import { type Block, blocksOf, pages, Reader } from './reader.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** Commands that other tests run: the clean clone, the examples in their own folders. */
const ELSEWHERE =
  /^(npm pack|docker (build|run)|countersign mutate|npm install -D|npm ci && npm (start|test)|npm run [\w:]+|npm (ci|test|start|run dev)|npm install|npm init -y|npm pkg set|npx playwright install|npx vitest run$|node --test$)(\s|$)/

type Check = (t: Test, block: Block, reader: Reader) => Promise<void>

/** How each kind of block is tried, by language and kind; none other may be on a page. */
const checks: Readonly<Record<string, Check>> = {
  // What is printed.
  text: async () => {},
  // For other programs, such as compose.
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
    for (const [, says = ''] of text.matchAll(/console\.log\(.*\) ?\)?(?:\/\/ (.+))$/gm))
      t.match(out, says, `it prints ${says}`)
  },
  'ts types': async (t, { text }) => {
    const place = join(root, 'test/pages/scratch')
    mkdirSync(place, { recursive: true })
    t.teardown(() => rmSync(place, { recursive: true, force: true }))
    writeFileSync(join(place, 'snippet.ts'), text)
    const paths = {
      countersign: ['../../../src/index.ts'],
      'countersign/types': ['../../../src/integrations/types.ts'],
    }
    const compilerOptions = { noEmit: true, paths, rootDir: '../../..' }
    const config = { extends: '../../../tsconfig.json', compilerOptions, include: ['snippet.ts'] }
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config))
    const { code, out } = await launch(t, join(root, 'node_modules/.bin/tsc'), ['-p', place]).ended
    t.equal(code, 0, 'it compiles', { out })
  },
  'yaml config': (t, { text }, reader) => validates(t, reader, 'countersign.config.yaml', text, []),
  'yaml scenario': (t, { text, line }, reader) => validates(t, reader, `scenarios/line-${line}.yaml`, text, []),
  'json fixtures': (t, { text }, reader) =>
    validates(t, reader, 'fixtures.json', text, ['--fixtures', 'fixtures.json']),
  'yaml data': async (t, { text }, reader) => {
    reader.write('shown.yaml', text)
    // What it names exists at no default fixtures; that it can be read is what counts.
    const target = '--target https://api.example.test --token token-admin'
    const line = `countersign verify ${target} --data shown.yaml --only listCreditHistories`
    const { code, out, err } = await reader.type(line)
    t.equal(code, 0, 'verify takes it', { out, err })
  },
  'yaml workflow': async (t, { text }) => {
    const { inputs, outputs } = parse(read('action.yml'))
    const steps = [parse(text)].flat().flatMap((part) => part.steps ?? part)
    for (const { uses = '', with: given = {} } of steps.filter((step) => /countersign@/.test(step.uses ?? '')))
      for (const name of Object.keys(given)) t.ok(name in inputs, `${uses} takes ${name}`)
    for (const [, output = ''] of text.matchAll(/outputs\.(\w+)/g)) t.ok(output in outputs, `${output} is an output`)
  },
}

async function validates(t: Test, reader: Reader, file: string, text: string, args: readonly string[]): Promise<void> {
  reader.write(file, text)
  const { code, err } = await run(t, ['validate', ...args], { cwd: reader.folder })
  t.equal(code, 0, `${file} is valid`, { err })
}

/** The command lines of a block: what goes on after a backslash is one, a comment is none. */
function linesOf(text: string): string[] {
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines.map((line) => line.replace(/\s+#.*$/, '').trim()).filter((line) => line !== '')
}

for (const page of pages) {
  t.test(`${page}: what it shows works`, async (t) => {
    const reader = await Reader.on(t)
    for (const block of blocksOf(page)) {
      const kind = `${block.language} ${block.kind}`.trim()
      await t.test(`${page}:${block.line} ${kind}`, async (t) => {
        // test:examples runs them, and generate keeps them the same.
        if (block.kind.startsWith('examples/')) {
          reader.copy(dirname(join(root, block.kind)))
          return void t.ok(existsSync(join(root, block.kind)), 'it is an example')
        }
        t.ok(checks[kind], 'it is of a kind that is tried')
        await checks[kind]?.(t, block, reader)
      })
    }
  })
}
