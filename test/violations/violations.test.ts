import t from 'tap'
import { defaultReadings } from '../../schemas/readings.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { formOf, HISTORIES, INVITE, LINK, MEMBER, SEARCH } from '../by-hand.js'
import { fetched, lastExchange } from '../helper.js'
import { listening } from '../wire.js'

const ada = { email: 'ada@example.test', first_name: 'Ada', last_name: 'Lovelace' }
const person = { ...ada, role: 'Member', organization_id: '1' }
/** A member's fields, their names written as the pattern has it. */
const personAs = (pattern: string) =>
  formOf(Object.entries(person).map(([name, value]) => [pattern.replace('NAME', name), value] as const))

const post = (body?: RequestInit['body'], headers = {}): RequestInit => ({ method: 'POST', body, headers })
const put = (...fields: [string, string][]): RequestInit => ({
  method: 'PUT',
  body: formOf(fields),
})
const authorized = (authorization: string) => ({ headers: { authorization } })

const SEND_TOKEN = /^-H 'Authorization: Bearer <USER_TOKEN>'$/
const USE_FORM = /Send a FormData object \(or use curl -F\)/
const NO_TYPE = /Remove the Content-Type header/
const USER_TYPE = /^\?user_type=ENTERPRISE_API$/
const LEAVE_OUT = /^Leave it out\.$/
const KEEP = /^Leave it out to keep the current value\.$/
const WRITE_EMAIL = /^Write 'data\[0\]\[email\]', including the brackets/
const WRITE_KEYWORD = /^Write 'keyword\[sample_1\]', including the brackets/

/** What clients get wrong: the status that it gets, and the violation. */
type Mistake = readonly [path: string, init: RequestInit, status: number, code: string, where: string, fix: RegExp]

const mistakes: readonly Mistake[] = [
  [INVITE, post('{"data":[]}', { 'content-type': 'application/json' }), 400, 'not-multipart', 'body', USE_FORM],
  [INVITE, post('x', { 'content-type': 'multipart/form-data' }), 400, 'no-boundary', 'body', NO_TYPE],
  [INVITE, post(personAs('data[NAME]')), 400, 'misnamed-field', 'form.data[email]', WRITE_EMAIL],
  [`${SEARCH}&keyword[]=contract`, {}, 400, 'misnamed-parameter', 'query.keyword[]', WRITE_KEYWORD],
  [INVITE.replace(/\?.*/, ''), post(personAs('data[0][NAME]')), 400, 'missing-parameter', 'query.user_type', USER_TYPE],
  ...['userType', 'user-type', 'usertype', 'User_Type'].map((name): Mistake => {
    const path = MEMBER.replace('user_type', name)
    return [path, put(['role', 'Admin']), 400, 'misnamed-parameter', `query.${name}`, /^Write 'user_type'\.$/]
  }),
  [MEMBER.replace('ENT', 'ent'), put(['role', 'Admin']), 400, 'invalid-parameter', 'query.user_type', USER_TYPE],
  [HISTORIES, authorized('token-admin'), 401, 'token-without-scheme', 'headers.authorization', SEND_TOKEN],
  [HISTORIES, authorized('Bearer Bearer token-admin'), 401, 'doubled-bearer', 'headers.authorization', SEND_TOKEN],
  [HISTORIES, authorized('Token token-admin'), 401, 'wrong-scheme', 'headers.authorization', SEND_TOKEN],
  [`${HISTORIES}&access_token=token-admin`, {}, 200, 'token-in-query', 'query.access_token', SEND_TOKEN],
  [HISTORIES, { headers: { 'user-token': 'x' } }, 200, 'unread-token-header', 'headers.user-token', SEND_TOKEN],
  [`${LINK}?email=a%40example.test`, post('{}'), 200, 'unexpected-body', 'body', /only in the path and query/],
  [MEMBER, put(['nickname', 'Z']), 200, 'unknown-field', 'form.nickname', LEAVE_OUT],
  [`${HISTORIES}&colour=red`, {}, 200, 'unknown-parameter', 'query.colour', LEAVE_OUT],
  [MEMBER, put(['role', 'Admin'], ['role', 'Member']), 400, 'repeated-parameter', 'form.role', /^-F 'role=\w+'$/],
  [`${HISTORIES}&page=2`, {}, 400, 'repeated-parameter', 'query.page', /^\?page=1$/],
  [MEMBER, put(['first_name', '']), 400, 'empty-parameter', 'form.first_name', KEEP],
  [`${LINK}?email=a+b@x.test`, post(), 400, 'unencoded-plus', 'query.email', /^\?email=a%2Bb(@|%40)x\.test /],
  [HISTORIES.replace('credits', 'credit'), {}, 404, 'no-such-route', 'url', /^GET \/api\/v2\/credits\/histories$/],
  [MEMBER, { ...put(['role', 'Admin']), method: 'PATCH' }, 405, 'method-not-allowed', 'method', /^Use PUT\.$/],
]

t.test('each thing that a client gets wrong is reported with its place, the rule and the fix', async (t) => {
  const { server, url } = await listening(t)
  const strict = await listening(t, { strict: true })
  for (const [at, [path, init, status, code, where, fix]] of mistakes.entries()) {
    t.test(`${at + 1}. ${code} at ${where}`, async (t) => {
      const sent = { ...init, headers: { authorization: 'Bearer token-admin', ...init.headers } }
      t.match(await fetched(url + path, sent), { status }, 'it is answered with its status')
      const { violations } = entryOf(lastExchange(server))
      const found = violations.find((one) => one.code === code && one.where === where)
      t.match(found, { fix, message: /\.$/ }, 'the violation is reported with its fix', { violations })
      const cites = found?.basis === 'documented' ? /^S\w\.\d+$/ : /^I-\d\d$/
      if (found?.basis === 'suspicious') t.match(found, { cites: [], rule: undefined }, 'no rule is quoted')
      else t.match(found, { cites: [cites], rule: new RegExp(`^${found?.cites[0]}: `) }, 'it quotes the first cite')

      const refused = await fetched(strict.url + path, sent)
      t.ok(refused.status >= 400, 'it is refused where the server is strict')
      const told = [strict.server, server].map((one) => entryOf(lastExchange(one)).violations)
      const [strictly, all] = told.map((list) => list.map(({ corrected, ...rest }) => rest))
      t.same(strictly, all, 'the strict server tells the same violations')
      if (status === 200) t.match(refused.body, { error: { message: found?.message } }, 'the strict answer says why')
    })
  }
})

t.test('what is sent empty is to be filled or left out, as the operation has it', async (t) => {
  const { server, url } = await listening(t, { readings: { ...defaultReadings, emptyFields: 'invalid' } })
  const empty: readonly (readonly [path: string, init: RequestInit, where: string, advice: string])[] = [
    [MEMBER, put(['first_name', '']), 'form.first_name', "not empty (''): leave it out to keep the current value."],
    [`${HISTORIES}&sort=`, {}, 'query.sort', "not empty (''): leave it out."],
    [
      MEMBER.replace('=ENTERPRISE_API', '=+'),
      put(),
      'query.user_type',
      "is white space (' '), which counts as empty, and so missing: send ENTERPRISE_API.",
    ],
  ]
  for (const [path, init, where, advice] of empty) {
    await fetch(url + path, { ...init, headers: { authorization: 'Bearer token-admin' } })
    const found = entryOf(lastExchange(server)).violations.find((one) => one.where === where)
    t.ok(found?.message.endsWith(advice), `${where}: the advice`, { found })
  }
})

t.test('an answer that is asked for is given before anything is judged', async (t) => {
  const { server, url } = await listening(t)
  for (const prefer of ['code=200', 'code=400', 'scenario=listCreditHistories:401', undefined]) {
    const headers: Record<string, string> = prefer === undefined ? {} : { prefer }
    await fetch(`${url}/api/v2/credits/histories?page=undefined`, { headers })
    const { violations } = lastExchange(server)
    t.equal(violations.length > 0, prefer === undefined, `${prefer ?? 'nothing'} is asked for`)
  }
})
