import t from 'tap'
import { run } from '../command-line.js'
import { build } from '../helper.js'
import { refusal, refuses, says } from './changes.js'
import { type Asked, type Mutant, mutatingProvider } from './mutating-provider.js'
import { TOKEN } from './stub.js'

const UPDATE = 'updateSubOrganizationMember'
const UPDATING = ['--token', TOKEN, '--allow-writes', '--only', UPDATE]

/** A provider where one update of a member fails: before it takes place, or after. */
function failing(nth: number, after: boolean): Mutant {
  let updates = 0
  const isUpdate = ({ headers, params }: Asked) =>
    headers.authorization === `Bearer ${TOKEN}` && params.subOrgMemberId === '101'
  return {
    name: 'an update fails',
    cites: ['SE.6'],
    operation: UPDATE,
    ask: (asked) => isUpdate(asked) && ++updates === nth && !after && refusal(500),
    tell: (told, asked) => isUpdate(asked) && updates === nth && after && Object.assign(told, refusal(500)),
  }
}

t.test('whatever fails on the way, the member is put back', { timeout: 300_000 }, async (t) => {
  const server = await build(t, { journalSize: 1 })
  const provide = await mutatingProvider(t, server)
  const memberOf = async (url: string) => {
    const state = await server.app.inject(`${new URL(url).pathname}/__admin/state`)
    return state.json().sub_organization_members.find(({ id }: { id: number }) => id === 101)
  }
  const before = await memberOf(provide({ name: 'fair', cites: ['SE.6'] }))
  t.match(before, { first_name: 'Zoë' }, 'there is a member')
  for (const nth of [3, 4, 5, 6, 7, 8, 9, 10]) {
    for (const after of [false, true]) {
      const url = provide(failing(nth, after))
      const { out } = await run(t, ['verify', '--target', url, ...UPDATING])
      const label = `update ${nth} ${after ? 'takes place and fails' : 'fails'}`
      t.strictSame(await memberOf(url), before, `${label}: the member is as it was`)
      t.notMatch(out, /Left at the provider/, `${label}: nothing is left`)
    }
  }
})

t.test('where it cannot be put back, what it was is told', { timeout: 60_000 }, async (t) => {
  const provide = await mutatingProvider(t, await build(t, { journalSize: 1 }))
  const refused = refuses(says('form', 'first_name', /^Zoë$/), 403)
  const url = provide({ name: 'restores are refused', cites: ['SE.2'], operation: UPDATE, ...refused })
  const { out } = await run(t, ['verify', '--target', url, ...UPDATING])
  const was = "first_name 'Zoë', last_name 'O'Connor', role 'Member'"
  const now = "first_name 'Countersign', last_name 'Countersign', role 'Member'"
  const left = `Left at the provider\\n {2}member 101 of 6d9b7a52-\\S+, which was ${was}; it is now ${now}`
  t.match(out, new RegExp(left), 'and what it is now')
})

t.test('a token that is not accepted is wrong use, and nothing is learned from it', async (t) => {
  const provide = await mutatingProvider(t, await build(t))
  const url = provide({ name: 'fair', cites: ['SA.4'] })
  const advice = 'every call with it is answered with 401. Pass a valid one with --token.'
  const err = `The provider does not accept the token: ${advice}`
  for (const [command, ...flags] of [['verify'], ['verify', '--only', 'uploadSignature'], ['learn']] as const) {
    const told = await run(t, [command, '--target', url, '--token', 'token-of-nobody', ...flags])
    t.match(told, { code: 2, err, out: /^$/ }, `${command} ${flags}: one sentence, and no more`)
  }
})
