import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { answerOf, build, lastExchange, requestOf } from '../helper.js'
import { listening } from '../wire.js'

const pathOf = (contract: Contract) => requestOf(contract).url.split('?')[0] as string

t.test('a path that no operation has is answered with the nearest operation', async (t) => {
  const server = await build(t)
  const cases: readonly (readonly [method: 'GET' | 'POST' | 'PUT', url: string, nearest: string])[] = [
    ['POST', '/api/v2/client/signature?user_type=ENTERPRISE_API', 'uploadSignature'],
    ['PUT', '/api/v2/sub-organization/x/members/101', 'updateSubOrganizationMember'],
    ['POST', '/api/v2/verification/document/verify', 'verifyDocument'],
    ['GET', '/api/v2/project/protected', 'searchProtectedAttachments'],
    ['GET', '/api/v2/credits/history', 'listCreditHistories'],
    ['GET', '/api/v2/credits/histories/', 'listCreditHistories'],
    ['GET', '/API/v2/credits/histories', 'listCreditHistories'],
    ['POST', '/api/v2/organizations/members/add', 'addOrganizationMember'],
    ['POST', '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/links', 'createSigningLink'],
  ]
  for (const [method, url, operation] of cases) {
    const answer = answerOf(await server.app.inject({ method, url }))
    const { id, ...exchange } = lastExchange(server)
    t.match(exchange, { contract: null, outcome: null, status: 404, method, url }, `${url}: the journal has no outcome`)
    t.match(
      answer,
      {
        status: 404,
        headers: { 'content-type': /^application\/problem\+json/, 'x-mock-exchange': id },
        outcome: undefined,
        error: 'no-such-route',
        body: { status: 404, code: 'no-such-route', nearest: { operation }, detail: `(${operation})` },
      },
      `${url}: the problem suggests ${operation}`,
    )
  }
})

t.test('a request that matches no operation is in the journal of the world that it was sent to', async (t) => {
  const { app, worlds } = await build(t)
  for (const url of ['/~worker-1/x', '/~worker-1/x/', '/~worker%2D1/nowhere']) {
    t.match(
      (await app.inject(url)).json(),
      {
        code: 'no-such-route',
        detail: url.endsWith('nowhere') ? 'GET /nowhere.' : 'GET /x',
      },
      `${url}: the problem shows the path inside the sandbox`,
    )
  }
  t.same(
    worlds.all().map(({ name, journal }) => [name, journal.exchanges().length]),
    [
      [null, 0],
      ['worker-1', 3],
    ],
    'the sandbox has recorded all three requests, the root world none',
  )
})

t.test('a method other than the documented one gets 405 with Allow', async (t) => {
  const server = await build(t)
  for (const contract of contracts as readonly Contract[]) {
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'] as const
    for (const method of methods.filter((one) => one !== contract.method)) {
      for (const prefix of ['', '/~worker-1']) {
        const response = await server.app.inject({ method: method as 'GET', url: prefix + pathOf(contract) })
        const label = `${method} to ${contract.id}${prefix && ' in a sandbox'}`
        t.equal(response.statusCode, 405, `${label}: the answer is 405`)
        t.match(
          response.headers,
          { allow: contract.method, 'x-mock-error': 'method-not-allowed' },
          `${label}: Allow names ${contract.method}`,
        )
        t.match(
          response.json(),
          {
            detail: `takes ${contract.method}, not ${method}: ${contract.id}.`,
            allow: [contract.method],
          },
          `${label}: the problem names the method that is allowed`,
        )
      }
    }
  }
})

t.test('HEAD gets 405 without a body', async (t) => {
  const { url } = await listening(t)
  const response = await fetch(`${url}/client/signature`, { method: 'HEAD' })
  t.match(
    [response.status, response.headers.get('allow'), await response.text()],
    [405, 'POST', ''],
    'HEAD gets 405 with Allow and no body',
  )
})

const ORIGIN = 'https://app.example.test'

t.test('a browser on any origin may call every operation, with every header it needs', async (t) => {
  const { app, worlds } = await build(t)
  const headers = ['authorization', 'content-type', 'prefer', 'user-token']
  for (const contract of contracts as readonly Contract[]) {
    for (const prefix of ['', '/~worker-1']) {
      const response = await app.inject({
        method: 'OPTIONS',
        url: prefix + pathOf(contract),
        headers: {
          origin: ORIGIN,
          'access-control-request-method': contract.method,
          'access-control-request-headers': headers.join(','),
        },
      })
      const label = `${contract.id}${prefix && ' in a sandbox'}`
      t.equal(response.statusCode, 204, `${label}: the preflight is answered with 204`)
      t.match(
        response.headers,
        {
          'access-control-allow-origin': ORIGIN,
          'access-control-allow-methods': contract.method,
        },
        `${label}: the origin and ${contract.method} are allowed`,
      )
      for (const header of headers)
        t.match(
          String(response.headers['access-control-allow-headers']).toLowerCase(),
          header,
          `${label}: the header ${header} is allowed`,
        )
    }
  }
  t.equal(worlds.root.journal.exchanges().length, 0, 'preflights are not in the journal')
})

t.test('a browser may try every method, and so read why it is refused', async (t) => {
  const { app } = await build(t)
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: '/client/signature',
    headers: { origin: ORIGIN, 'access-control-request-method': 'DELETE' },
  })
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
    t.match(preflight.headers['access-control-allow-methods'], method, `${method} is let through`)
  t.equal(preflight.headers.allow, 'GET, POST, PUT, OPTIONS', 'Allow says what there is')
  const refused = await app.inject({ method: 'DELETE', url: '/client/signature', headers: { origin: ORIGIN } })
  t.match(
    [refused.statusCode, refused.headers.allow, refused.headers['access-control-allow-origin']],
    [405, 'POST', ORIGIN],
    'and the refusal can be read',
  )
  t.match(refused.headers['access-control-expose-headers'], /Retry-After, Allow/, 'with what it says')
})

t.test('a browser may read what the mock adds, on errors and problems too', async (t) => {
  const { app } = await build(t, { bodyLimit: 1_000 })
  const exposed = ['X-Mock-Outcome', 'X-Mock-Exchange', 'X-Mock-Error', 'Preference-Applied']
  const authorization = 'Bearer token-admin'
  const [upload, , , , credits] = contracts as unknown as readonly Contract[]
  const { url } = requestOf(credits as Contract)
  const requests = [
    [200, { url, headers: { authorization } }],
    [400, { url: url.replace('page=1', 'page=0'), headers: { authorization } }],
    [401, { url }],
    [400, { url, headers: { prefer: 'code=418' } }],
    [400, { url: `/~not a name${url}` }],
    [404, { url: '/nowhere' }],
    [405, { url, method: 'PUT' as const }],
    [413, { ...requestOf(upload as Contract) }],
  ] as const
  for (const [status, request] of requests) {
    const response = await app.inject({
      ...request,
      headers: { ...('headers' in request && request.headers), origin: ORIGIN },
    })
    const label = `${status} for ${request.url.slice(0, 50)}`
    t.equal(response.statusCode, status, `${label}: the status is right`, { body: response.body })
    t.equal(response.headers['access-control-allow-origin'], ORIGIN, `${label}: the origin is allowed`)
    for (const header of exposed)
      t.match(response.headers['access-control-expose-headers'], header, `${label}: ${header} is exposed`)
  }
})

t.test('a bad sandbox name is refused, and no sandbox is made of it', async (t) => {
  const { app, worlds } = await build(t)
  const [upload] = contracts as unknown as readonly Contract[]
  for (const name of ['', 'a'.repeat(65), 'a%20b', 'a%2Fb', '%C3%BC', '%00', 'a,b', '~']) {
    for (const path of [pathOf(upload as Contract), '/nowhere', '']) {
      const response = await app.inject({ method: 'POST', url: `/~${name}${path}` })
      const label = `sandbox name '${name.slice(0, 10)}' before '${path}'`
      t.equal(response.statusCode, 400, `${label}: the answer is 400`)
      t.match(
        response.json(),
        {
          code: 'bad-sandbox-name',
          detail: 'Use 1 to 64 letters, digits, dots, hyphens and underscores',
        },
        `${label}: the problem says what a name may be`,
      )
    }
  }
  t.same(worlds.sandboxes(), [], 'no sandbox exists')
  for (const name of ['a', 'A_9.-', '...', 'a'.repeat(64)]) {
    t.equal(
      (await app.inject({ method: 'POST', url: `/~${name}${pathOf(upload as Contract)}` })).statusCode,
      401,
      `sandbox name '${name}' is accepted`,
    )
    t.ok(worlds.has(name), `sandbox '${name}' exists`)
  }
})

t.test('a page of any origin reads why its URL cannot be read', async (t) => {
  const { app } = await build(t)
  for (const url of ['/api/v2/%zz', `/api/v2/projects/${'a'.repeat(5_000)}/link`]) {
    const asked = { origin: ORIGIN, 'access-control-request-method': 'GET', 'access-control-request-headers': 'prefer' }
    const preflight = await app.inject({ method: 'OPTIONS', url, headers: asked })
    t.equal(preflight.statusCode, 204, 'the preflight is answered')
    t.match(preflight.headers, {
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': /GET/,
      'access-control-allow-headers': 'prefer',
    })
    const { statusCode, headers } = await app.inject({ method: 'POST', url, headers: { origin: ORIGIN } })
    t.equal(statusCode, 400, 'the call is refused')
    t.match(
      headers,
      { 'access-control-allow-origin': ORIGIN, 'access-control-expose-headers': /X-Mock-Error/ },
      'for it',
    )
  }
  const admin = await app.inject({ url: '/__admin/%zz', headers: { origin: ORIGIN } })
  t.equal(admin.headers['access-control-allow-origin'], undefined, 'what is not of the API is not opened')
})

t.test('a URL that cannot be read is a problem with a remedy', async (t) => {
  const { app } = await build(t)
  for (const url of ['/%zz', '/api/v2/projects/%E0%A4%A/link?email=a@b.test', '/~%zz/client/signature']) {
    const response = await app.inject({ method: 'POST', url })
    t.equal(response.statusCode, 400, `${url}: the answer is 400`)
    t.equal(response.headers['x-mock-error'], 'bad-url', `${url}: X-Mock-Error is bad-url`)
    t.match(
      response.json(),
      { code: 'bad-url', detail: 'encodeURIComponent' },
      `${url}: the problem recommends encodeURIComponent`,
    )
  }
  const long = await app.inject({ method: 'POST', url: `/api/v2/projects/${'a'.repeat(5_000)}/link?email=a@b.test` })
  t.match(
    [long.statusCode, long.json().code],
    [400, 'bad-url'],
    'a path variable of 5,000 characters is refused with 400',
  )
  const query = await app.inject({
    url: '/api/v2/credits/histories?page=%zz&per_page=%E0%A4%A',
    headers: { authorization: 'Bearer token-admin' },
  })
  t.match(
    query.json(),
    { error: { code: 400, message: "not '%zz'" } },
    'in a query %zz is an invalid value of its parameter',
  )
})

t.test('a call whose URL cannot be read is in the journal of its world, as suspicious', async (t) => {
  const server = await build(t)
  const { app, worlds } = server
  const link = '/api/v2/projects/%zz/link?email=a@b.test'
  const long = `/api/v2/projects/${'a'.repeat(5_000)}/link?email=a@b.test`
  for (const [url, sandbox, fix] of [
    [link, undefined, /encodeURIComponent/],
    [`/~worker-3${link}`, 'worker-3', /encodeURIComponent/],
    [`/~%zz${link}`, undefined, /encodeURIComponent/],
    [`/~worker-4${long}`, 'worker-4', /Shorten/],
  ] as const) {
    const response = await app.inject({ method: 'POST', url })
    const exchange = lastExchange(server, sandbox)
    t.match(
      exchange,
      { url, status: 400, contract: null, outcome: null, violations: [{ code: 'bad-url', where: 'url', fix }] },
      `${url.slice(0, 50)} is there`,
    )
    t.match(exchange.violations, [{ basis: 'suspicious', cites: [] }])
    t.equal(response.headers['x-mock-exchange'], exchange.id, 'X-Mock-Exchange is its id')
    const listed = await app.inject({
      url: `${sandbox === undefined ? '' : `/~${sandbox}`}/__admin/requests?unmatched=true`,
    })
    t.match(listed.json(), { requests: [{ id: exchange.id, operation: null }] }, 'and unmatched')
  }
  t.equal(worlds.root.journal.exchanges().length, 2, 'each in its own journal')
  await app.inject({ method: 'POST', url: link, headers: { prefer: 'expect=400' } })
  t.ok(lastExchange(server).meant, 'one that is expected is meant')
  await app.inject({ method: 'POST', url: `${link}&__expect=400` })
  t.ok(lastExchange(server).meant, 'by its query, too')
  const before = worlds.root.journal.exchanges().length
  for (const url of ['/__admin/%zz', '/sign/%zz', '/invitations/%zz']) await app.inject({ url })
  await app.inject({ method: 'OPTIONS', url: link })
  t.equal(worlds.root.journal.exchanges().length, before, 'admin, pages and preflights are in none')
})

t.test('a message that is not valid HTTP is answered, and the server keeps serving', async (t) => {
  const { exchange } = await listening(t)
  const head = 'POST /client/signature HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer token-admin\r\n'
  const broken: Readonly<Record<string, string>> = {
    'no request line': 'hello\r\n\r\n',
    'an unknown method': 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n',
    'a TLS greeting': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n',
    'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'no Host': 'GET / HTTP/1.1\r\n\r\n',
    'a header without a name': `${head}: x\r\n\r\n`,
    'headers of 100,000 bytes': `${head}X-Long: ${'x'.repeat(100_000)}\r\n\r\n`,
    'two lengths': `${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    'a length that is no number': `${head}Content-Length: many\r\n\r\n`,
    'a chunk size that is no number': `${head}Transfer-Encoding: chunked\r\n\r\nmany\r\n`,
  }
  for (const [what, bytes] of Object.entries(broken)) {
    const answer = await exchange(bytes)
    const [status, code] = what.startsWith('headers of') ? [431, 'headers-too-large'] : [400, 'bad-request']
    t.match(
      [answer.status, answer.headers.connection],
      [status, 'close'],
      `${what}: the answer is ${status}, and the connection is closed`,
    )
    if (what !== 'no Host') t.equal(answer.headers['x-mock-error'], code, `${what}: X-Mock-Error is ${code}`)
    t.equal(
      (await exchange('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n')).status,
      404,
      `${what}: the next request is answered`,
    )
  }
})
