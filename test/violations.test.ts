import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type ExchangeEntry, entryOf } from '../src/journal-entry.js'
import type { Settings } from '../src/options.js'
import { folder, launch } from './binary.js'
import { build, fixtureFile, lastExchange } from './helper.js'

const HISTORIES = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const SEARCH = '/api/v2/projects/protect?user_type=ENTERPRISE_API'
const MEMBER = '/api/v2/sub-organizations/6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60/members/101?user_type=ENTERPRISE_API'
const INVITE = '/api/v2/organization/members/add?user_type=ENTERPRISE_API'
const LINK = '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/link'
const CURL = '/usr/bin/curl'
const skip = existsSync(CURL) ? false : `${CURL} is not installed here`

const person = {
  email: 'ada@example.test',
  first_name: 'Ada',
  last_name: 'Lovelace',
  role: 'Member',
  organization_id: '1',
}
/** A member's fields, their names written as `write` has it. */
function personAs(write: (name: string) => string): FormData {
  return form(Object.entries(person).map(([name, value]) => [write(name), value]))
}

function form(fields: readonly (readonly [string, string])[]): FormData {
  const data = new FormData()
  for (const [name, value] of fields) data.append(name, value)
  return data
}

interface Expected {
  readonly code: string
  readonly where: string
  readonly fix: RegExp
  readonly rule: RegExp
  /** Without --strict. */
  readonly status: number
}

const TOKEN_RULE = /^Authentication, 2: .*`Authorization: Bearer <USER_TOKEN>`/
const MULTIPART_RULE = /^Conventions: Multipart bodies use `multipart\/form-data`/
const rule = (section: number) => new RegExp(`^Endpoints, ${section}\\. `)
const SEND_TOKEN = /^-H 'Authorization: Bearer <USER_TOKEN>'$/

/** What clients get wrong, as fetch sends it. */
const byFetch: readonly (readonly [what: string, path: string, init: RequestInit, expected: Expected])[] = [
  ...[new URLSearchParams(person), JSON.stringify({ data: [person] }), 'email=ada'].map(
    (body) =>
      [
        `${typeof body === 'string' ? body.slice(0, 9) : 'urlencoded'} where multipart is documented`,
        INVITE,
        { method: 'POST', body },
        {
          code: 'not-multipart',
          where: 'body',
          fix: /Send a FormData object \(or curl -F\)/,
          rule: MULTIPART_RULE,
          status: 400,
        },
      ] as const,
  ),
  [
    'a content type set by hand, without boundary',
    INVITE,
    {
      method: 'POST',
      body: personAs((name) => `data[0][${name}]`),
      headers: { 'content-type': 'multipart/form-data' },
    },
    { code: 'no-boundary', where: 'body', fix: /Remove the Content-Type header/, rule: MULTIPART_RULE, status: 400 },
  ],
  ...[(name: string) => `data[${name}]`, (name: string) => `data.0.${name}`, (name: string) => `data[][${name}]`].map(
    (write) =>
      [
        `fields named ${write('email')}`,
        INVITE,
        { method: 'POST', body: personAs(write) },
        {
          code: 'misnamed-field',
          where: `form.${write('email')}`,
          fix: /Write 'data\[0\]\[email\]', brackets/,
          rule: rule(6),
          status: 400,
        },
      ] as const,
  ),
  ...['keyword', 'keyword[]', 'keyword.sample_1', 'keyword[0]', 'keywords[sample_1]'].map(
    (name) =>
      [
        `a keyword named ${name}`,
        `${SEARCH}&${encodeURIComponent(name)}=contract`,
        {},
        {
          code: 'misnamed-parameter',
          where: `query.${name}`,
          fix: /^Write 'keyword\[sample_1\]', brackets/,
          rule: rule(4),
          status: 400,
        },
      ] as const,
  ),
  [
    'no user_type',
    INVITE.split('?')[0] as string,
    { method: 'POST', body: personAs((name) => `data[0][${name}]`) },
    {
      code: 'missing-parameter',
      where: 'query.user_type',
      fix: /^\?user_type=ENTERPRISE_API$/,
      rule: rule(6),
      status: 400,
    },
  ],
  ...['userType', 'user-type', 'usertype', 'User_Type'].map(
    (name) =>
      [
        `user_type written ${name}`,
        MEMBER.replace('user_type', name),
        { method: 'PUT', body: form([['role', 'Admin']]) },
        {
          code: 'misnamed-parameter',
          where: `query.${name}`,
          fix: /^Write 'user_type'\.$/,
          rule: rule(2),
          status: 400,
        },
      ] as const,
  ),
  [
    'user_type in the wrong case',
    MEMBER.replace('ENTERPRISE_API', 'enterprise_api'),
    { method: 'PUT', body: form([['role', 'Admin']]) },
    {
      code: 'invalid-parameter',
      where: 'query.user_type',
      fix: /^\?user_type=ENTERPRISE_API$/,
      rule: rule(2),
      status: 400,
    },
  ],
  [
    'a token without its scheme',
    HISTORIES,
    { headers: { authorization: 'token-admin' } },
    { code: 'token-without-scheme', where: 'headers.authorization', fix: SEND_TOKEN, rule: TOKEN_RULE, status: 401 },
  ],
  [
    'a doubled scheme',
    HISTORIES,
    { headers: { authorization: 'Bearer Bearer token-admin' } },
    { code: 'doubled-bearer', where: 'headers.authorization', fix: SEND_TOKEN, rule: TOKEN_RULE, status: 401 },
  ],
  [
    'another scheme',
    HISTORIES,
    { headers: { authorization: 'Token token-admin' } },
    { code: 'wrong-scheme', where: 'headers.authorization', fix: SEND_TOKEN, rule: TOKEN_RULE, status: 401 },
  ],
  [
    'a token in the query',
    `${HISTORIES}&access_token=token-admin`,
    {},
    { code: 'token-in-query', where: 'query.access_token', fix: SEND_TOKEN, rule: TOKEN_RULE, status: 200 },
  ],
  [
    'user-token where it is not read',
    HISTORIES,
    { headers: { authorization: 'Bearer token-admin', 'user-token': 'token-admin' } },
    { code: 'unread-token-header', where: 'headers.user-token', fix: SEND_TOKEN, rule: TOKEN_RULE, status: 200 },
  ],
  [
    'a body where none is documented',
    `${LINK}?email=grace%40example.test`,
    {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer token-admin', 'content-type': 'application/json' },
    },
    { code: 'unexpected-body', where: 'body', fix: /path and query alone/, rule: rule(7), status: 200 },
  ],
  [
    'an unknown field',
    MEMBER,
    { method: 'PUT', body: form([['nickname', 'Z']]) },
    { code: 'unknown-field', where: 'form.nickname', fix: /^Leave it out\.$/, rule: rule(2), status: 200 },
  ],
  [
    'an unknown query key',
    `${HISTORIES}&colour=red`,
    {},
    { code: 'unknown-parameter', where: 'query.colour', fix: /^Leave it out\.$/, rule: rule(5), status: 200 },
  ],
  [
    'a field sent twice',
    MEMBER,
    {
      method: 'PUT',
      body: form([
        ['role', 'Admin'],
        ['role', 'Member'],
      ]),
    },
    { code: 'repeated-parameter', where: 'form.role', fix: /^-F 'role=(Admin|Member)'$/, rule: rule(2), status: 400 },
  ],
  [
    'a query key sent twice',
    `${HISTORIES}&page=2`,
    {},
    { code: 'repeated-parameter', where: 'query.page', fix: /^\?page=1$/, rule: rule(5), status: 400 },
  ],
  [
    'an empty string in the partial update',
    MEMBER,
    { method: 'PUT', body: form([['first_name', '']]) },
    { code: 'empty-parameter', where: 'form.first_name', fix: /^-F 'first_name=Zoë'$/, rule: rule(2), status: 400 },
  ],
  [
    'an unencoded plus',
    `${LINK}?email=grace+work@example.test`,
    { method: 'POST' },
    {
      code: 'unencoded-plus',
      where: 'query.email',
      fix: /^\?email=grace%2Bwork(@|%40)example\.test +\(encodeURIComponent/,
      rule: rule(7),
      status: 400,
    },
  ],
  [
    'a path that nearly matches',
    HISTORIES.replace('credits', 'credit'),
    {},
    { code: 'no-such-route', where: 'url', fix: /^GET \/api\/v2\/credits\/histories$/, rule: /^|/, status: 404 },
  ],
  [
    'a method that does not match',
    MEMBER,
    { method: 'PATCH', body: form([['role', 'Admin']]) },
    { code: 'method-not-allowed', where: 'method', fix: /^Use PUT\.$/, rule: /^|/, status: 405 },
  ],
]

async function listening(t: Test, settings: Partial<Settings> = {}) {
  const server = await build(t, settings)
  return { server, url: await server.listen() }
}

function find({ violations }: ExchangeEntry, { code, where }: Expected) {
  return violations.find((one) => one.code === code && one.where === where)
}

t.test('each thing that a client gets wrong is told with its place, the rule and the fix', async (t) => {
  const { server, url } = await listening(t)
  const strict = await listening(t, { strict: true })
  for (const [what, path, init, expected] of byFetch) {
    t.test(what, async (t) => {
      const sent = { headers: { authorization: 'Bearer token-admin' }, ...init }
      const headers = { authorization: 'Bearer token-admin', ...init.headers }
      const response = await fetch(url + path, { ...sent, headers })
      t.equal(response.status, expected.status)
      const entry = entryOf(lastExchange(server))
      const found = find(entry, expected)
      t.match(found, { fix: expected.fix, message: /^[A-Z/].*\.$/ }, JSON.stringify(entry.violations))
      t.match(found?.rule ?? '', expected.rule)

      const refused = await fetch(strict.url + path, { ...sent, headers })
      t.ok(refused.status >= 400, 'and is refused where the server is strict')
      t.ok(find(entryOf(lastExchange(strict.server)), expected))
      if (expected.status === 200) t.match(JSON.stringify(await refused.json()), found?.message.slice(0, 30))
    })
  }
})

/** What only a shell gets wrong. */
const byCurl: readonly (readonly [what: string, args: readonly string[], path: string, code: string, where: string])[] =
  [
    [
      'a content type set by hand',
      ['-H', 'Content-Type: multipart/form-data', '-d', 'a=b'],
      INVITE,
      'no-boundary',
      'body',
    ],
    ['-d where -F is meant', ['-d', 'data[0][email]=ada@example.test'], INVITE, 'not-multipart', 'body'],
    ['a body in a GET', ['-X', 'GET', '-d', 'page=1'], HISTORIES, 'unexpected-body', 'body'],
    [
      'a file that is only its name',
      ['-F', 'file=signature.png'],
      '/client/signature?user_type=ENTERPRISE_API',
      'invalid-parameter',
      'form.file',
    ],
    [
      'raw brackets and a plus',
      ['-g', '-X', 'POST'],
      `${LINK}?email=a+b@example.test&keyword[]=x`,
      'unencoded-plus',
      'query.email',
    ],
    ['a method by habit', ['-X', 'POST', '-F', 'role=Admin'], MEMBER, 'method-not-allowed', 'method'],
  ]

t.test('and curl is no exception', { skip }, async (t) => {
  const { server, url } = await listening(t)
  for (const [what, args, path, code, where] of byCurl) {
    const all = ['-sS', '-o', '/dev/null', '-H', 'Authorization: Bearer token-admin', ...args, url + path]
    t.equal((await launch(t, CURL, all).ended).code, 0)
    const { violations } = entryOf(lastExchange(server))
    t.match(
      violations.find((one) => one.code === code),
      { where, fix: /./ },
      `${what} ${JSON.stringify(violations)}`,
    )
  }
})

t.test('a request that keeps the contract has no violations, strict or not', async (t) => {
  const { server, url } = await listening(t, { strict: true })
  const headers = { authorization: 'Bearer token-admin' }
  const file = new File([new Uint8Array(fixtureFile('signature.png').content)], 'signature.png', { type: 'image/png' })
  const upload = form([['source', 'drawing']])
  upload.append('file', file)
  for (const [path, init] of [
    [HISTORIES, {}],
    [MEMBER, { method: 'PUT', body: form([['role', 'Admin']]) }],
    [INVITE, { method: 'POST', body: personAs((name) => `data[0][${name}]`) }],
    [`${LINK}?email=grace%2Bwork%40example.test`, { method: 'POST' }],
    ['/client/signature?user_type=ENTERPRISE_API', { method: 'POST', body: upload }],
  ] as const) {
    t.equal((await fetch(url + path, { ...init, headers })).status, 200, path)
    t.same(lastExchange(server).violations, [])
  }
})

const SECRET = 'sEcReT+tok/en=='

t.test('no secret is in journal, HAR, curl lines or events, wherever a client puts it', async (t) => {
  const { server, url } = await listening(t, { auth: 'any' })
  const events = await fetch(`${url}/__admin/events`)
  const encoded = encodeURIComponent(SECRET)
  const calls: readonly (readonly [path: string, init?: RequestInit])[] = [
    ...[SECRET, `Bearer ${SECRET}`, `Bearer Bearer ${SECRET}`, `Basic ${SECRET}`, `Custom ${SECRET}`].map(
      (authorization) => [HISTORIES, { headers: { authorization } }] as const,
    ),
    ...['user-token', 'x-auth-token', 'token', 'x-api-key', 'proxy-authorization'].map(
      (name) => [HISTORIES, { headers: { [name]: SECRET } }] as const,
    ),
    [HISTORIES, { headers: { cookie: `session=${SECRET}; b=1` } }],
    ...['token', 'access_token', 'user-token', '_token', 'api_key', 'password', 'id_token', 'to%6ben'].flatMap(
      (name) => [
        [`${HISTORIES}&${name}=${SECRET}`] as const,
        [`${HISTORIES}&${name}=${encoded}&${name}=${encoded}&q=${encoded}`] as const,
        [`${HISTORIES}&__code=401&${name}=${encoded.toLowerCase()}`] as const,
      ],
    ),
    [`/nowhere/${encoded}?token=${SECRET}`, { headers: { authorization: `Bearer ${SECRET}` } }],
    [`${SEARCH}&keyword=${encoded}`, { headers: { authorization: `Bearer ${SECRET}` } }],
    [
      INVITE,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${SECRET}` },
        body: form([
          ['token', SECRET],
          ['x', SECRET],
        ]),
      },
    ],
    [INVITE, { method: 'POST', headers: { authorization: `Bearer ${SECRET}` }, body: JSON.stringify({ a: SECRET }) }],
  ]
  for (const [path, init] of calls) await fetch(url + path, init)
  t.equal(server.worlds.root.journal.total, calls.length)
  const texts: string[] = []
  for (const query of ['', '?format=curl', '?format=har', '?format=jsonl'])
    texts.push(await (await fetch(`${url}/__admin/requests${query}`)).text())
  texts.push(await (await fetch(`${url}/__admin/requests/x1`)).text())
  const reader = events.body!.getReader()
  let heard = ''
  while (!heard.includes(`id: x${calls.length}\n`)) heard += Buffer.from((await reader.read()).value ?? []).toString()
  await reader.cancel()
  for (const text of [...texts, heard]) {
    for (const one of [SECRET, encoded, 'secret', 'sEcReT']) t.notOk(text.includes(one), one)
    t.match(text, /\[redacted\]|\$TOKEN/)
  }
})

t.test(
  'a curl line of the journal sends the same again, and nothing of it is run by the shell',
  { skip },
  async (t) => {
    const { server, url } = await listening(t)
    const cwd = folder(t)
    const evil = '$TOKEN$(touch evil)`touch evil`"\'; touch evil; #'
    const headers = { authorization: 'Bearer token-admin', 'x-note': evil }
    const calls: readonly (readonly [path: string, init: RequestInit])[] = [
      [`${SEARCH}&keyword[sample_1]=contract&x={a}`, { headers }],
      [`${SEARCH}&keyword[sample_1]=${encodeURIComponent(evil)}$TOKEN$(touch$IFS%22evil)`, { headers }],
      [
        MEMBER,
        {
          method: 'PUT',
          headers,
          body: form([
            ['first_name', evil],
            ['last_name', '@/etc/hostname;type=x'],
          ]),
        },
      ],
      [`${LINK}?email=grace%40example.test`, { method: 'POST', headers, body: `{"a":"${evil}"}` }],
      [MEMBER, { method: 'PUT', headers: { authorization: 'Bearer token-member' } }],
    ]
    for (const [path, init] of calls) {
      const { status } = await fetch(url + path, init)
      const first = entryOf(lastExchange(server))
      const line = await (await fetch(`${url}/__admin/requests?format=curl&limit=1`)).text()
      const token = path === MEMBER && init.body === undefined ? 'token-member' : 'token-admin'
      const replay = await launch(t, 'sh', ['-c', `${line.trim()} -sS -o /dev/null -w '%{http_code}'`], {
        cwd,
        env: { TOKEN: token },
      }).ended
      t.match(replay, { code: 0, out: String(status) }, line)
      const second = entryOf(lastExchange(server))
      t.same([second.method, second.request.query], [first.method, first.request.query])
      t.same(second.request.body, first.request.body)
    }
    t.notOk(existsSync(join(cwd, 'evil')))
  },
)
