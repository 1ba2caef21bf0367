import t from 'tap'
import { run } from '../command-line.js'
import { build } from '../helper.js'
import { type Mutant, mutatingProvider, type Told } from './mutating-provider.js'
import { TOKEN } from './stub.js'

const UPDATE = 'updateSubOrganizationMember'
const FAILED: Told = {
  status: 500,
  headers: { 'content-type': 'application/json' },
  body: { error: { code: 500, message: 'No.' } },
}

/** A provider whose updates with a token fail as `fails` says, by the number of those that were sent. */
function failing(name: string, fails: (nth: number) => boolean, after = false): Mutant {
  let updates = 0
  const isUpdate = (asked: {
    readonly headers: Record<string, string>
    readonly params: Readonly<Record<string, string>>
  }) => asked.headers.authorization === `Bearer ${TOKEN}` && asked.params.subOrgMemberId === '101'
  return {
    name,
    cites: ['SE.6'],
    operation: UPDATE,
    ask: (asked) => {
      if (!isUpdate(asked)) return undefined
      updates++
      return fails(updates) && !after ? structuredClone(FAILED) : undefined
    },
    tell: (told, asked) => {
      if (isUpdate(asked) && after && fails(updates)) Object.assign(told, structuredClone(FAILED))
    },
  }
}

t.test('whatever fails on the way, the member is put back', { timeout: 300_000 }, async (t) => {
  const server = await build(t, { journalSize: 1 })
  const provide = await mutatingProvider(t, server)
  const memberOf = async (url: string) => {
    const state = await server.app.inject(`${new URL(url).pathname}/__admin/state`)
    return state.json().sub_organization_members.find(({ id }: { readonly id: number }) => id === 101)
  }
  const before = await memberOf(provide({ name: 'fair', cites: ['SE.6'] }))
  t.match(before, { first_name: 'Zoë' }, 'there is a member')
  for (const nth of [3, 4, 5, 6, 7, 8, 9, 10]) {
    for (const after of [false, true]) {
      const url = provide(failing('once', (update) => update === nth, after))
      const { out } = await run(t, ['verify', '--target', url, '--token', TOKEN, '--allow-writes', '--only', UPDATE])
      const label = `update ${nth} ${after ? 'takes place and fails' : 'fails'}`
      t.strictSame(await memberOf(url), before, `${label}: the member is as it was`)
      t.notMatch(out, /Left at the provider/, `${label}: nothing is left`)
    }
  }
})

t.test('where it cannot be put back, what it was is told', { timeout: 60_000 }, async (t) => {
  const server = await build(t, { journalSize: 1 })
  const provide = await mutatingProvider(t, server)
  const refused: Told = {
    status: 403,
    headers: { 'content-type': 'application/json' },
    body: { error: { code: 403, message: 'No.' } },
  }
  const url = provide({
    name: 'restores are refused',
    cites: ['SE.2'],
    operation: UPDATE,
    ask: ({ form }) => (form?.get('first_name') === 'Zoë' ? structuredClone(refused) : undefined),
  })
  const { out } = await run(t, ['verify', '--target', url, '--token', TOKEN, '--allow-writes', '--only', UPDATE])
  t.match(
    out,
    /Left at the provider\n {2}member 101 of 6d9b7a52-\S+, which was first_name 'Zoë', last_name 'O'Connor', role 'Member'; it is now first_name 'Countersign', last_name 'Countersign', role 'Member'/,
    'and what it is now',
  )
})

t.test('a token that is not accepted is wrong use, and nothing is learned from it', async (t) => {
  const server = await build(t)
  const provide = await mutatingProvider(t, server)
  const url = provide({ name: 'fair', cites: ['SA.4'] })
  for (const argv of [['verify'], ['verify', '--only', 'uploadSignature'], ['learn']]) {
    const [command = '', ...flags] = argv
    const { code, out, err } = await run(t, [command, '--target', url, '--token', 'token-of-nobody', ...flags])
    t.equal(code, 2, `${argv.join(' ')}: status 2`)
    t.match(
      err,
      /The provider does not accept the token: every call with it is answered with 401\. Pass a valid one with --token\./,
      'one sentence',
    )
    t.equal(out, '', 'and no more')
  }
})
