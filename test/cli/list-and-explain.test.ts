import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { outcomeIds } from '../../schemas/scenario.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

t.test('list prints operations, outcomes, scenarios and tokens', async (t) => {
  const { out } = await run(t, ['list', '--scenario', 'empty-account'])
  for (const { id, method, path } of contracts)
    t.match(out, new RegExp(`^ {2}${id} +${method} +${path.replace(/[{}]/g, '.')} `, 'm'), `${id} is listed`)
  for (const outcome of outcomeIds)
    t.match(out, new RegExp(`^ {2}${outcome} +(shown|bodyNotShown|assumed) `, 'm'), `${outcome} is listed`)
  t.match(out, /^ {2}empty-account +on +An account/m, 'a scenario is listed, and whether it is on')
  t.match(out, /^ {2}token-admin +amelie/m, 'a token is listed with its user')
  const { out: tokens } = await run(t, ['list', 'tokens'])
  t.match(tokens, /^Tokens\n {2}token-admin/, 'one list may be asked for')
  t.notMatch(tokens, 'Operations', 'the other lists are left out')
})

t.test('explain tells what a scenario will do', async (t) => {
  const when = { body: { code: { startsWith: 'D', contains: '9' } }, token: 't' }
  const rules = [
    { on: 'verifyDocument', when, times: 2, answer: { delay: 9 } },
    { on: '*', chance: 0.25, answer: { headers: { 'x-a': 'b' } }, then: 'Over' },
  ]
  const cwd = folder(t, { 'scenarios/late.json': JSON.stringify({ rules }) })
  for (const [name, says] of Object.entries({
    late: `
1. The first 2 calls of verifyDocument where the token is 't' and body code starts with 'D' and contains '9': they are answered as usual after 9 ms.
2. Calls of any operation, 25 in 100 of them (drawn from the seed): they are answered as usual, with the headers x-a. Then the scenario is in the state 'Over'.
Any other call is answered as usual.
`,
    'saved-but-failed':
      '\n1. The first call of updateSubOrganizationMember: the operation takes place, but then the answer is 500.',
    'verifyDocument:404': 'Every call of verifyDocument is answered with 404, before anything is checked.',
  }))
    t.match((await run(t, ['explain', name], { cwd })).out, says, name)
})
