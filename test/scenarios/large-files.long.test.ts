import t from 'tap'
import type { Server } from '../../src/server/create-server.js'
import { folder as temporaryFolder } from '../binary.js'
import { build } from '../helper.js'

t.test('no content of a file ends the process or takes for ever', async (t) => {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000)
  const keys = Array.from({ length: 2_000 }, (_, at) => `unknown${at}: ${at}`).join('\n')
  const doubled = Object.fromEntries(
    Array.from({ length: 26 }, (_, at) => [
      `s${at}.yaml`,
      at === 0 ? 'rules: [{ on: listCreditHistories, answer: { status: 401 } }]' : `extends: [s${at - 1}, s${at - 1}]`,
    ]),
  )
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['deeply nested JSON', { 'a.json': `{"description": ${deep}}` }, /a\.json: .*nested more than 100 levels deep/],
    [
      'four megabytes of nested JSON',
      { 'a.json': `{"description": ${'['.repeat(2_200_000)}${']'.repeat(2_200_000)}}` },
      /a\.json: .*nested more than 100 levels deep/,
    ],
    [
      'an answer that is nested deeply, in five megabytes',
      {
        'a.json': `{"description": "${'x'.repeat(5_000_000)}", "rules": [{ "on": "verifyDocument", "answer": { "body": ${deep} } }]}`,
      },
      /a\.json: .*nested more than 100 levels deep/,
    ],
    ['deeply nested YAML', { 'a.yaml': `description: ${deep}` }, /a\.yaml: .*nested more than 100 levels deep/],
    ['rules that double with every file', doubled, /s\d+\.yaml:1:\d\d: .*more than 10000 rules/],
    ['two thousand unknown keys', { 'a.yaml': keys }, /a\.yaml:20:1: [\s\S]*1980 more complaints are not shown/],
    [
      'one line of four megabytes with a mistake at its end',
      { 'a.json': `{"description": "${'x'.repeat(3_700_000)}", "rules": [{"on": "nope"}]}` },
      /a\.json:1:\d+: 'rules\.0\.on' must be/,
    ],
  ]
  for (const [label, files, says] of cases) {
    const error = await build(t, { scenarios: temporaryFolder(t, files) }).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    t.match(error, { name: 'InvalidFiles', message: says }, `${label}: the complaint says so`)
    t.ok((error?.message.length ?? 0) < 20_000, `${label}: the complaint is short`)
  }
})

const CONFLICT = { rules: [{ on: 'addOrganizationMember', answer: { status: 409 } }] }

const put = ({ app }: Server, name: string, payload: object) =>
  app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}`, payload })

t.test('there is a bound for the rules of a scenario', async (t) => {
  const server = await build(t)
  const many = { rules: Array.from({ length: 10_001 }, () => CONFLICT.rules[0]) }
  t.match((await put(server, 'many', many)).json().detail, /more than 10000 rules/)
})
