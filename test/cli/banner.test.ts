import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { folder, launch, serve as serveBinary, until } from '../binary.js'
import { serve } from '../command-line.js'

const UUID = (nth: number) => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`

t.test('the banner says where it listens, who may call, and a line to paste for each operation', async (t) => {
  const { url, out } = await serveBinary(t)
  await until(() => out().includes('/link?email='))
  for (const line of [url, `${url}/~NAME`, `${url}/__admin`, 'token-admin', 'token-member'])
    t.match(out(), line, `the banner says ${line.replace(url, 'the address')}`)
  const lines = out().match(/^ +curl .*$/gm) ?? []
  t.equal(lines.length, contracts.length, 'each operation has a line')
  for (const [at, line] of lines.entries()) {
    const { out, err } = await launch(t, 'sh', ['-c', `${line} -sS -w ' %{http_code}'`]).ended
    t.match(out, / 200$/, `the line for ${contracts[at]?.id} succeeds`, { err })
  }
})

t.test('the lines to paste name records that the first user may use', async (t) => {
  const [mine, other] = [UUID(1), UUID(2)]
  const person = { user_type: 'ENTERPRISE_API', organization_id: 7, permissions: [], first_name: 'A', last_name: 'B' }
  const bare = { version: 1, organizations: [{ id: 7, uuid: UUID(3), name: 'Seven' }] }
  const fixtures = {
    ...bare,
    users: [
      { ...person, uuid: mine, token: 'mine', email: 'mine@example.test' },
      { ...person, uuid: other, token: 'other', email: 'other@example.test' },
    ],
    projects: [
      { uuid: UUID(4), user_uuid: other, name: 'Another one' },
      { uuid: UUID(5), user_uuid: mine, name: 'My own' },
    ],
    documents: [
      { code: 'REVOKED', user_uuid: mine, sha256: 'a'.repeat(64), status: 'revoked' },
      { code: 'ANOTHER', user_uuid: other, sha256: 'b'.repeat(64), status: 'verified' },
      { code: 'MY-OWN', user_uuid: mine, sha256: 'c'.repeat(64), status: 'verified' },
    ],
  }
  const told = async (fixtures: object) => {
    const cwd = folder(t, { 'fixtures.json': JSON.stringify(fixtures) })
    return (await serve(t, ['--fixtures', 'fixtures.json'], { cwd })).out()
  }
  const out = await told(fixtures)
  const words = { token: 'mine', document: 'MY-OWN', project: UUID(5), organization: 'organization_id\\]=7' }
  for (const [what, word] of Object.entries(words))
    t.match(out, new RegExp(`curl .*${word}`), `the ${what} is the first user's`)
  t.notMatch(out, /REVOKED|ANOTHER|-000000000004/, 'nothing that would be refused is named')
  t.match(await told(bare), `organization_uuid=${UUID(3)}`, 'where there is no user, the first organization')
})
