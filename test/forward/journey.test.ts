import t from 'tap'
import { addOrganizationMember, searchProtectedAttachments } from '../../schemas/index.js'
import { sampleBody } from '../../src/engine/contract/envelopes.js'
import { adminOf, fetchUrl, lastExchange, requestOf } from '../helper.js'
import { ask, forwarding, goodHistories, histories, jsonAnswer } from './provider.js'

const invite = requestOf(addOrganizationMember)
const good = sampleBody(addOrganizationMember, 200)

const TAKEN = requestOf(addOrganizationMember, { form: { 'data[0][email]': 'eve@taken.example' } })

t.test('forced outcomes, gateway statuses, scenarios and faults answer in place of the provider', async (t) => {
  const { url: mock, server, requests } = await forwarding(t, jsonAnswer(good))
  t.match(await ask(invite, mock, { prefer: 'code=409' }), { status: 409 }, 'a forced outcome')
  t.match(await lastExchange(server), { cause: 'prefer', outcome: 'addOrganizationMember:409' })
  t.match(await ask({ ...invite, url: `${invite.url}&__code=503` }, mock), { status: 503 }, 'a status in the query')
  await t.rejects(ask(invite, mock, { prefer: 'fault=CONNECTION_RESET_BY_PEER' }), 'a fault')
  t.match(await ask(invite, mock, { prefer: 'code=999' }), { error: 'undeclared-outcome' }, 'an undeclared status')
  for (const [name, status] of Object.entries({ 'gateway:429': 429, 'addOrganizationMember:400': 400 })) {
    await adminOf(server).activate(name)
    t.match(await ask(invite, mock), { status }, name)
    await adminOf(server).deactivate(name)
  }
  await adminOf(server).activate('invitation-conflicts')
  t.match(await ask(TAKEN, mock, { authorization: 'Bearer unknown' }), { status: 409 }, 'a rule that matches the body')
  t.match(await lastExchange(server), { cause: /^scenario:invitation-conflicts#/ })
  t.same(requests, [], 'the provider got no request')
  t.match(await ask(invite, mock), { status: 500 }, 'the first invitation of the scenario fails')
  t.match(await ask(invite, mock), { status: 200 }, 'the provider answers the second')
  t.match(await lastExchange(server), { cause: 'provider', trace: { answeredBy: 'forward' } })
  t.ok(requests[0]?.includes(invite.payload as Buffer), 'the provider gets the body unchanged')
})

t.test('each sandbox has its journal; admin, pages and unknown routes are never forwarded', async (t) => {
  const { url: mock, server, requests } = await forwarding(t, jsonAnswer(good))
  await ask({ ...invite, url: `/~w-1${invite.url}` }, mock)
  t.match(await lastExchange(server, 'w-1'), { cause: 'provider', outcome: 'addOrganizationMember:200' })
  t.same(await adminOf(server).requests(), [])
  const admin = ['/__admin/health', '/~w-1/__admin/requests', '/__admin/', '/__admin/no']
  for (const path of [...admin, '/', '/invitations/x', '/sign/x']) await fetchUrl(mock + path)
  t.match(await fetchUrl(`${mock}/api/v2/nothing`), { error: 'no-such-route' })
  t.match(await fetchUrl(mock + histories.url, { method: 'DELETE' }), { status: 405 })
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:1', 'access-control-request-method': 'GET' },
  }
  t.match(await fetchUrl(mock + histories.url, preflight), { status: 204 })
  t.equal(requests.length, 1, 'the provider got only the first request')
})

t.test('the provider authenticates calls; a missing or malformed token is a violation', async (t) => {
  const { url, server, requests } = await forwarding(t, goodHistories, { strict: true })
  const violationsOf = async (path: string, headers: Record<string, string>) => {
    const { status } = await fetchUrl(url + path, { headers })
    t.equal(status, 200, 'the mock rejects nothing, even with --strict')
    return (await lastExchange(server)).violations.map(({ code, where }) => `${code} ${where}`)
  }
  for (const [authorization, ...expected] of [
    ['Bearer of-another-user'],
    ['Basic abc', 'wrong-scheme headers.authorization'],
    ['Bearer undefined', 'placeholder-token headers.authorization'],
  ] as const)
    t.same(await violationsOf(histories.url, { authorization }), expected, authorization)
  t.same(await violationsOf('/api/v2/credits/histories?page=x&organization_uuid=undefined&o=1', {}), [
    'missing-token headers.authorization',
    'missing-parameter query.per_page',
    'invalid-parameter query.page',
    'unknown-parameter query.o',
    'placeholder-value query.organization_uuid',
  ])
  t.equal(requests.length, 4)
})

t.test('--provider-token replaces the client’s token, and is never shown', async (t) => {
  const secret = 'real-Token/1+x'
  const error = { code: 401, message: `${secret} is not good`, [secret]: { [`x-${secret}`]: 1 } }
  const refused = jsonAnswer({ error }, [`X-Echo: ${secret}`], '401 Unauthorized')
  const { url, requests } = await forwarding(t, refused, { providerToken: secret })
  const search = url + requestOf(searchProtectedAttachments).url
  const get = (headers: RequestInit['headers']) => fetchUrl(search, { headers })
  const last = () => String(requests.at(-1))
  await get({ authorization: 'Bearer token-admin' })
  t.match(last(), `uthorization: Bearer ${secret}\r\n`)
  await get({ 'user-token': 'token-admin' })
  t.match(last(), `user-token: ${secret}\r\n`)
  t.notMatch(last(), /authorization/i, 'no header is added')
  t.match(await get({}), { body: { error } }, 'the answer of the provider reaches the client unchanged')
  t.notMatch(last(), secret, 'a call without a token gets none')
  for (const query of ['', '?format=scenario', '?format=curl'])
    t.notMatch(await (await fetch(`${url}/__admin/requests${query}`)).text(), secret, `/requests${query} hides it`)
})
