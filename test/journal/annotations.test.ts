import { join } from 'node:path'
import t from 'tap'
import { findingOf } from '../../src/cli/report-formats/annotation.js'
import { escapeMarkdown } from '../../src/cli/report-formats/markdown.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

t.test('a complaint about a file is an annotation at its line', async (t) => {
  const shown = { basis: 'countersign', place: { file: '/w/a' }, message: 'rules[0]: It is odd.' }
  t.match(findingOf({ file: '/w/a', path: 'rules[0]', message: 'It is odd.' }), shown)
  const cwd = folder(t, {
    'project/countersign.config.yaml': 'port: 0\nprot: 1\n',
    'project/scenarios/odd.yaml': 'rules:\n  - on: nothing\n',
  })
  const place = { cwd: join(cwd, 'project'), env: { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cwd } }
  for (const [command, code] of Object.entries({ start: 1, validate: 1, exec: 1, verify: 2 })) {
    const words = command === 'exec' ? ['--', 'true'] : []
    const ended = await run(t, [command, ...words], place)
    const line = /^::error file=project\/countersign\.config\.yaml,line=2,col=1,title=countersign::.*prot/m
    t.match(ended, { code, err: line }, `${command}: with file and line`)
    if (command !== 'verify')
      t.match(ended.err, /^::error file=project\/scenarios\/odd\.yaml,line=2,col=9,/m, `${command}: for every file`)
  }
  const ended = await run(t, ['exec', '--prot', '1', '--', 'true'], { env: { GITHUB_ACTIONS: 'true' } })
  const err = /\n::error title=countersign::The flag '--prot' is unknown/
  t.match(ended, { code: 2, err }, 'an invalid command line is annotated, too')
})

t.test('escaped text appears in Markdown as it is', async (t) => {
  const texts: readonly (readonly [text: string, markdown: string])[] = [
    ["The field 'user_type' is missing (3.1 %).", "The field 'user_type' is missing (3.1 %)."],
    [
      '`a` **b** ~~c~~ [d](e) a|b $x$ \\',
      '&#96;a&#96; &#42;&#42;b&#42;&#42; &#126;&#126;c&#126;&#126; &#91;d&#93;(e) a&#124;b &#36;x&#36; &#92;',
    ],
    ['_a_ a_b __code', '&#95;a&#95; a_b &#95;&#95;code'],
    ['<script>&amp;', '&#60;script&#62;&#38;amp;'],
    ['# a', '&#35; a'],
    ['1. a', '1&#46; a'],
    ['- a', '&#45; a'],
    ['two\r\nlines\u001b[2J\u202ea', 'two lines &#91;2J a'],
  ]
  for (const [text, markdown] of texts) t.equal(escapeMarkdown(text), markdown, JSON.stringify(text))
})
