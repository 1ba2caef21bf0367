import t from 'tap'
import { listCreditHistories, verifyDocument } from '../../schemas/index.js'
import { sourceOf } from '../../src/text/source-file.js'
import { checkFixtures } from '../../src/world/state/fixtures.js'
import { answerOf, build, send } from '../helper.js'

const ORGANIZATION = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const UUID = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'

t.test('a UUID is written in its text form, in any letter case', async (t) => {
  const server = await build(t)
  const verify = async (user_uuid: string) =>
    answerOf(await send(server, verifyDocument, { form: { file: undefined, user_uuid } }))
  t.match(await verify(UUID.toUpperCase()), { status: 200 }, 'capitals are accepted')
  const query = { organization_uuid: ORGANIZATION.toUpperCase() }
  const { histories } = (await send(server, listCreditHistories, { query })).json()
  t.match(histories, [{ organization_uuid: ORGANIZATION }], 'and name the same organization')
  const refused = { status: 400, body: { error: { message: "'user_uuid' must be a UUID" } } }
  for (const uuid of [`urn:uuid:${UUID}`, `{${UUID}}`, UUID.replaceAll('-', ''), `${UUID}0`])
    t.match(await verify(uuid), refused, `${uuid} is refused`)
})

const sold = { type: 'purchase', amount: 1, currency: 'EUR', user_type: 'ENTERPRISE_API' }
const history = { ...sold, id: UUID, organization_uuid: ORGANIZATION, details: { source: '', note: '' } }
const organizations = [{ id: 1, uuid: ORGANIZATION, name: 'One' }]

t.test('a time that the API gives is in UTC', async (t) => {
  const check = (created_at: string) =>
    checkFixtures(sourceOf('fixtures', { organizations, credit_histories: [{ ...history, created_at }] }))
  await t.resolves(check('2026-01-15T09:30:00Z'), 'seconds are enough')
  for (const time of ['2026-01-15T09:30:00+02:00', '2026-01-15T09:30:00', '2026-01-15 09:30:00+00:00'])
    await t.rejects(check(time), { message: /must be an ISO 8601 time in UTC/ }, `${time} is refused`)
})
