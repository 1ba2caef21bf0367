import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type Annotation, annotationOf, workflowCommands } from '../../src/text/annotation.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

const error = (title: string, message: string): Annotation => ({ level: 'error', title, message })

t.test('an annotation is a line that GitHub Actions reads, escaped as its toolkit does', async (t) => {
  const PLACE = { ...error('a', 'b'), file: '/w/s/x.yaml' }
  const written: readonly (readonly [what: string, annotation: Annotation, line: string])[] = [
    ['neither file nor line', error('a', 'b'), '::error title=a::b'],
    ['a warning', { ...error('a', 'b'), level: 'warning' }, '::warning title=a::b'],
    ['a place in it', { ...PLACE, line: 3, column: 7 }, '::error file=s/x.yaml,line=3,col=7,title=a::b'],
    ['a file elsewhere', { ...error('a', 'b'), file: '/wider/x' }, '::error file=/wider/x,title=a::b'],
    ['what is special', error('a: 1,2 %', 'b: 1,2 %'), '::error title=a%3A 1%2C2 %25::b: 1,2 %25'],
    ['what is escaped already', error('a', '%0A'), '::error title=a::%250A'],
    ['several lines', error('a', 'b\nc\r\nd'), '::error title=a::b%0Ac%0Ad'],
    [
      'what would begin another command',
      { ...error('a\n::stop-commands::x', '\u001b[2J\u202e'), file: '/w/\r::x' },
      String.raw`::error file=\u000d%3A%3Ax,title=a\u000a%3A%3Astop-commands%3A%3Ax::\u001b[2J\u202e`,
    ],
  ]
  for (const [what, annotation, line] of written) t.same(workflowCommands([annotation], '/w'), [line], what)
})

t.test('at most ten of a level are written, and the last says how many more there are', async (t) => {
  const many = (level: Annotation['level'], count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...error('a', `${level} ${at + 1}`), level }))
  const lines = workflowCommands([...many('warning', 10), ...many('error', 12)], '/w')
  t.equal(lines[9], '::error title=a::error 10%0A… and 2 more; see the log.')
  t.same(lines.slice(19), ['::warning title=a::warning 10'], 'ten are all there')
})

t.test('a workspace behind a symbolic link is the same folder', { skip: process.platform === 'win32' }, async (t) => {
  const real = folder(t, { 'work/countersign.config.yaml': 'prot: 1\n', 'away/odd.yaml': 'prot: 1\n' })
  symlinkSync(join(real, 'work'), join(real, 'link'))
  symlinkSync(join(real, 'away'), join(real, 'work/linked'))
  const [work, link] = [join(real, 'work'), join(real, 'link')]
  const usual = 'countersign.config.yaml'
  for (const [workspace, cwd, config, file] of [
    [link, work, usual, usual],
    [work, link, usual, usual],
    [link, work, join(link, usual), usual],
    [work, work, 'linked/odd.yaml', 'linked/odd.yaml'],
    [link, work, '../away/odd.yaml', join(real, 'away/odd.yaml')],
  ] as const) {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: workspace }
    const { err } = await run(t, ['validate', '--config', config], { cwd, env })
    t.match(err, `::error file=${file},line=1,`, `${config} from ${cwd}`)
  }
})

t.test('a complaint about a file shows in it', async (t) => {
  const shown = { level: 'error', title: 'countersign', file: '/w/a', message: 'rules[0]: It is odd.' }
  t.same(annotationOf({ file: '/w/a', path: 'rules[0]', message: 'It is odd.' }), shown)
  const cwd = folder(t, {
    'project/countersign.config.yaml': 'port: 0\nprot: 1\n',
    'project/scenarios/odd.yaml': 'rules:\n  - on: nothing\n',
  })
  const place = { cwd: join(cwd, 'project'), env: { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cwd } }
  for (const [command, code] of Object.entries({ start: 1, validate: 1, exec: 1, verify: 2 })) {
    const words = command === 'exec' ? ['--', 'true'] : []
    const ended = await run(t, [command, ...words], place)
    const line = /^::error file=project\/countersign\.config\.yaml,line=2,col=1,title=countersign::.*prot/m
    t.match(ended, { code, err: line }, `${command}: its line is named`)
    if (command !== 'verify')
      t.match(ended.err, /^::error file=project\/scenarios\/odd\.yaml,line=2,col=9,/m, `${command}: all files are`)
    const elsewhere = await run(t, [command, ...words], { cwd: place.cwd })
    t.notMatch(elsewhere.err, '::error', `${command}: elsewhere there are none`)
  }
  const ended = await run(t, ['exec', '--prot', '1', '--', 'true'], { env: { GITHUB_ACTIONS: 'true' } })
  const err = /\n::error title=countersign::The flag '--prot' is unknown/
  t.match(ended, { code: 2, err }, 'nor is a wrong command line overlooked')
})
