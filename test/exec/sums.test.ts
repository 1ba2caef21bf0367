import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { outcomeIds } from '../../schemas/scenario.js'
import { emptyReport } from '../../src/coverage/report.js'
import { folder } from '../binary.js'
import { HISTORIES } from '../by-hand.js'
import { run } from '../command-line.js'
import { judge, type Sent } from './client.js'

t.test('the coverage of several runs adds up, and the gates hold against the sum', async (t) => {
  const cwd = folder(t)
  const shard = (name: string, sent: Sent[]) => judge(t, ['--coverage', `shards/${name}.json`], sent, { cwd })
  await shard('a', [{ path: HISTORIES }, { path: '/nowhere' }, { path: `${HISTORIES}&x=1` }])
  await shard('b', [{ path: HISTORIES, headers: { prefer: 'code=401' } }, { path: `${HISTORIES}&x=1` }])
  const sum = (...args: string[]) => run(t, ['coverage', 'shards/a.json', 'shards/b.json', ...args], { cwd })

  const kept = await sum('--require', 'listCreditHistories:200, listCreditHistories:401', '--coverage', 'sum.json')
  t.match(kept, { code: 0, err: `2 of ${outcomeIds.length} outcomes met` }, 'the sum meets what no run meets alone')
  const written = {
    outcomes: {
      'listCreditHistories:200': { count: 3, causes: { natural: 3 } },
      'listCreditHistories:401': { count: 1, causes: { prefer: 1 } },
    },
    violations: [{ code: 'no-such-route' }, { code: 'unknown-parameter', count: 2 }],
    unmatched: { 'GET /nowhere': 1 },
  }
  t.match(JSON.parse(readFileSync(join(cwd, 'sum.json'), 'utf8')), written, 'the sum can be written as coverage')
  const failed = { code: 1, err: /\(2 times, [\s\S]*✗ unmatched {2}GET \/nowhere/ }
  t.match(await sum('--fail-on', 'violations:all,unmatched'), failed, 'violations and unmatched requests add up')
  const unused = { code: 1, err: /Only countersign exec supports --fail-on unused\./ }
  t.match(await sum('--fail-on', 'unused'), unused, 'unused rules cannot be summed up')
  t.match(await run(t, ['coverage'], { cwd }), { code: 1, err: /Name the files/ }, 'files must be named')
})

t.test('outcomes that only other readings declare are told where coverage files are added up', async (t) => {
  const count = (times: number) => ({ count: times, causes: { natural: times } })
  const outcomes = { 'listCreditHistories:201': count(3), 'listCreditHistories:404': count(1) }
  const cwd = folder(t, {
    'it.json': JSON.stringify({ ...emptyReport(), outcomes }),
    'theirs.yaml': 'interpretations: { successStatus: 201, unknownOrganization: 404 }\n',
  })
  const sum = (...args: string[]) => run(t, ['coverage', 'it.json', ...args], { cwd })
  const hint = 'To count it, pass the --interpretations or --config of that run.'

  const summed = await sum()
  t.match(summed, { code: 0, err: `0 of ${outcomeIds.length} outcomes met` }, 'they do not count')
  for (const told of ['listCreditHistories:201 was met 3 times', 'listCreditHistories:404 was met once'])
    t.match(summed.err, `countersign: The outcome ${told} in a run with other interpretations`, 'it says so')
  t.match(summed.err, hint, 'and what to do')

  const { code, err } = await sum('--require', 'listCreditHistories:404,listCreditHistories:200')
  t.match({ code, err }, { code: 1, err: '2 failures.' }, 'what does not count cannot be required')
  t.match(err, /✗ require {2}listCreditHistories:404\n +The outcome .* was met once in a run with other/)
  t.match(err, /✗ require {2}listCreditHistories:200\n +The outcome .* was never met/)
  t.match(await sum('--require', 'listCreditHistories:418'), { code: 1, err: /does not take/ }, 'one in no file')

  const theirs = await sum('--interpretations', 'theirs.yaml', '--require', 'listCreditHistories:404')
  t.match(theirs, { code: 0, err: /^2 of \d+ outcomes met/m }, 'with the readings they do')
  t.notMatch(theirs.err, hint, 'and nothing is told')
})

t.test('a coverage file is checked before it counts, and its deviations fail the gate', async (t) => {
  const deviation = {
    code: 'missing-property',
    where: 'body.id',
    message: 'It is missing.',
    meant: false,
    basis: 'documented',
    cites: ['S3.6'],
    outcome: 'verifyDocument:200',
    count: 2,
  }
  const report = JSON.stringify({ ...emptyReport(), deviations: [deviation] })
  const cwd = folder(t, { 'it.json': report, 'no.json': '{ "kind": "lcov" }' })
  const told = /✗ deviations {2}verifyDocument:200: missing-property at body\.id\n +It is missing\. \(2 times\)/
  const failed = await run(t, ['coverage', 'it.json', '--fail-on', 'deviations'], { cwd })
  t.match(failed, { code: 1, err: told }, 'a deviation fails the gate')
  const refused = { code: 1, err: /'kind' must be "countersign coverage", not 'lcov'/ }
  t.match(await run(t, ['coverage', 'no.json'], { cwd }), refused, 'a file of another kind')
})
