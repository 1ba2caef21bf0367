import t from 'tap'
import { build, lastExchange, multipart } from '../helper.js'
import { HISTORIES, INVITE, LINK, MEMBER, SEARCH, UPLOAD, VERIFY } from '../paths.js'

type Sent = Readonly<Record<string, string>> | string | null

/** A request; the code of a violation, a part of its message or fix, and of its correction (null: none). */
const mistakes: readonly (readonly [method: string, url: string, sent: Sent, string, string, string | null])[] = [
  ['POST', `${LINK}?email=+jo%40example.test`, null, 'invalid-parameter', '?email=jo%40', 'email=jo%40example.test'],
  ['POST', `${LINK}?email=jo+%40example.test`, null, 'invalid-parameter', '?email=EMAIL', null],
  ['POST', `${LINK}?email=J+S+%3Cjo%40example.test%3E`, null, 'invalid-parameter', 'jo%40', 'email=jo%40example.test'],
  ['POST', `${LINK}?email=mailto%3Ajo%40example.test`, null, 'invalid-parameter', 'jo%40', 'email=jo%40example.test'],
  ['POST', `${LINK}?email=jo%2540example.test`, null, 'invalid-parameter', 'escaped once', 'email=jo%40example.test'],
  ['POST', `${LINK}?email=jo&bob@example.test`, null, 'unescaped-ampersand', 'jo%26bob%40', null],
  ['POST', `${LINK}?mail=jo%40example.test`, null, 'misnamed-parameter', "to 'email'", 'email=jo%40example.test'],
  ['GET', `${HISTORIES}&order_by=amount`, null, 'misnamed-parameter', "to 'sort'", '&sort=amount'],
  ['GET', `${HISTORIES}&order_by=desc`, null, 'misnamed-parameter', "to 'order'", '&order=desc'],
  ['GET', `${HISTORIES}&sortBy=amount&direction=asc`, null, 'misnamed-parameter', "to 'sort'", '&order=asc'],
  ['GET', HISTORIES.replace('per_page', 'page%5Bsize%5D'), null, 'misnamed-parameter', "to 'per_page'", 'per_page=5'],
  ['GET', `${HISTORIES}&direction=descending`, null, 'misnamed-parameter', "to 'order'", '&order=desc'],
  ['GET', `${SEARCH}&keyword=sample_1`, null, 'misnamed-parameter', 'not its keys', null],
  ['GET', `${HISTORIES}&sort=-amount&order=asc`, null, 'invalid-parameter', '?sort=amount', null],
  ['GET', `${HISTORIES}&sort=recieved_by`, null, 'invalid-parameter', '?sort=received_by', '&sort=received_by'],
  ['GET', `${HISTORIES}&sort%5Bamount%5D=asc`, null, 'misnamed-parameter', "'sort' without brackets", null],
  ['GET', `${SEARCH}&keyword=contract,lease`, null, 'misnamed-parameter', 'each value by itself', null],
  ['GET', `${SEARCH}&keyword%5Bsample_1%5D=2025%252F01`, null, 'escaped-text', "'2025/01'", '=2025%2F01'],
  ['GET', `${SEARCH}&keyword%5Bsample_1%5D=a;keyword%5Bsample_2%5D=b`, null, 'escaped-query', 'only', null],
  ['GET', `${SEARCH}&keyword%5Bsample_1%5D=Tom&Jerry&Co`, null, 'unescaped-ampersand', 'Tom%26Jerry%26Co', null],
  ['GET', HISTORIES.replaceAll('&', '%26'), null, 'escaped-query', 'not the whole URL', null],
  ['GET', HISTORIES.replace('v2', 'v1'), null, 'no-such-route', 'Call GET', HISTORIES],
  ['GET', HISTORIES.replace('?', '/?'), null, 'no-such-route', 'Call GET', HISTORIES],
  ['GET', HISTORIES.replace('?', '&'), null, 'no-such-route', "with '?', not with '&'", HISTORIES],
  ['GET', `/undefined/api/v2${HISTORIES}`, null, 'no-such-route', 'base URL of the client', HISTORIES],
  ['GET', `/http://localhost:4010${HISTORIES}`, null, 'no-such-route', 'base URL of the client', HISTORIES],
  ['PUT', MEMBER.replace('?', '&'), { role: 'Admin' }, 'escaped-query', "put '&' between", "-F 'role=Admin'"],
  ['PUT', `${MEMBER}&role=Member`, { role: 'Admin' }, 'misplaced-parameter', 'as a form field: remove', null],
  ['PUT', MEMBER, { 'data[0][last_name]': 'Hopper' }, 'misnamed-field', "to 'last_name'", "-F 'last_name=Hopper'"],
  ['PUT', MEMBER, { first_name: '"Zo\\u00eb"' }, 'quoted-text', "'Zoë' without quotes", "-F 'first_name=Zoë'"],
  ['PUT', MEMBER, { last_name: "O\\'Brien" }, 'escaped-text', "'O'Brien'", "-F 'last_name=O'\\''Brien'"],
  ['PUT', MEMBER, { last_name: 'M%u00FCller' }, 'escaped-text', "'Müller'", "-F 'last_name=Müller'"],
  ['PUT', MEMBER, { last_name: "b'Hopper'" }, 'printed-value', 'itself', null],
  ['PUT', MEMBER, { data: '{"role":"Admin"}' }, 'json-value', "'role'", "-F 'role=Admin'"],
  ['PUT', MEMBER, 'last_name=Marks & Spencer', 'not-multipart', 'FormData', null],
  ['PUT', MEMBER, 'role=Admin\nlast_name=Hopper', 'not-multipart', 'FormData', "-F 'role=Admin'"],
  ['POST', VERIFY, { code: 'DOC-2025\n-0001' }, 'invalid-parameter', "'code=CODE'", null],
  ['POST', VERIFY, { code: 'A', request_id: 'a1b2c3d4e5f6a7b8c9d0' }, 'unknown-field', "'request_id'", "-F 'code=A'"],
  ['POST', VERIFY, { code: 'undefined' }, 'placeholder-value', "Or remove it, if you send 'file'", null],
  ['POST', VERIFY, { code: 'A', file: 'null' }, 'placeholder-value', "Or remove it, if you send 'code'", null],
  ['POST', INVITE, { 'data[email]': 'a@b.test' }, 'misnamed-field', "to 'data[0][email]'", null],
  ['POST', INVITE, { 'data.0.first_name': 'A' }, 'misnamed-field', "to 'data[0][first_name]'", null],
  ['POST', INVITE, { 'members[0][last_name]': 'A' }, 'misnamed-field', "to 'data[0][last_name]'", null],
  ['POST', INVITE, { organization_uuid: 'a' }, 'misnamed-field', "to 'data[0][organization_id]'. The brackets", null],
  ['GET', HISTORIES.replaceAll('&', '%26').replaceAll('=', '%3D'), null, 'escaped-query', 'Escape each value', null],
  ['GET', `/%7B%7Bbase_url%7D%7D${HISTORIES}`, null, 'no-such-route', 'base URL of the client', HISTORIES],
  ['PUT', MEMBER, { last_name: 'ê¹€' }, 'misread-text', '김', "-F 'last_name=김'"],
  ['PUT', MEMBER, { last_name: 'РђРЅРЅР°' }, 'misread-text', 'Анна', "-F 'last_name=Анна'"],
  ['PUT', MEMBER, { last_name: 'JГјrgen' }, 'misread-text', 'Jürgen', "-F 'last_name=Jürgen'"],
  ['PUT', MEMBER, { last_name: 'Jos├⌐' }, 'misread-text', 'José', "-F 'last_name=José'"],
  ['PUT', MEMBER, { last_name: 'StraÃŸe' }, 'misread-text', 'Straße', "-F 'last_name=Straße'"],
  ['PUT', MEMBER, { last_name: 'Josï¿½' }, 'replaced-character', 'UTF-8', null],
  ['PUT', MEMBER, { last_name: 'M?ller' }, 'replaced-character', 'UTF-8', null],
  ['PUT', MEMBER, { last_name: '__LAST_NAME__' }, 'placeholder-value', "value of 'last_name'", null],
  ['PUT', MEMBER, { last_name: ':last_name' }, 'placeholder-value', "value of 'last_name'", null],
  ['PUT', MEMBER, { last_name: '[LastName]' }, 'placeholder-value', "value of 'last_name'", null],
  ['PUT', MEMBER, { last_name: 'User[age=7]' }, 'printed-value', 'without JSON', null],
  ['PUT', MEMBER, { last_name: 'H\u0000o' }, 'invalid-parameter', "'last_name", null],
  ['POST', UPLOAD, { 'file[uri]': 'file:///a.png' }, 'misnamed-field', "-F 'file=@FILE'", null],
]

t.test('the fix and the correction keep what the client meant, and guess nothing', async (t) => {
  const server = await build(t)
  for (const [method, url, sent, code, part, corrected] of mistakes) {
    const fields = url === VERIFY ? { user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31' } : {}
    const form = multipart(Object.entries({ ...(sent as object), ...fields }))
    const encoded = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: sent as string }
    const { headers = {}, body = undefined } = sent === null ? {} : typeof sent === 'string' ? encoded : form
    const authorization = 'Bearer token-admin'
    await server.app.inject({ method: method as 'GET', url, headers: { authorization, ...headers }, payload: body })
    const violation = (await lastExchange(server)).violations.find((one) => one.code === code)
    const label = `${method} ${url} ${JSON.stringify(sent)}`
    t.match(`${violation?.message} ${violation?.fix}`, part, label)
    if (corrected === null) t.equal(violation?.corrected, undefined, label)
    else t.ok(violation?.corrected?.includes(corrected), label)
  }
})
