import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { verifyDocument } from '../../schemas/index.js'
import { folder, launch } from '../binary.js'
import { run } from '../command-line.js'
import { adminOf, build, fetchUrl, formOf, lastExchange, requestOf } from '../helper.js'
import { HISTORIES, INVITE, LINK, MEMBER, SEARCH } from '../paths.js'
import { listeningServer } from '../wire.js'

const CONFIG = 'countersign.config.yaml'
const CURL = '/usr/bin/curl'

const SECRET = 'sEcReT+tok/en=='

t.test('journal, curl lines and events show no secret, wherever a client puts it', async (t) => {
  const { server, url } = await listeningServer(t, { auth: 'any' })
  const events = await fetch(`${url}/__admin/events`)
  const encoded = encodeURIComponent(SECRET)
  const bearer = { authorization: `Bearer ${SECRET}` }
  const schemes = ['', 'Bearer ', 'Bearer Bearer ', 'Basic ', 'Custom ']
  const known = ['user-token', 'x-auth-token', 'token', 'x-api-key', 'proxy-authorization']
  const headers = [...known, 'x-mock-token', 'x-session-id', 'x-signing-key']
  const names = ['token', 'access_token', 'user-token', '_token', 'api_key', 'password', 'id_token', 'to%6ben']
  const forms = [formOf({ token: SECRET, x: SECRET }), new URLSearchParams({ password: `a ${SECRET}` })]
  const bodies = [...forms, JSON.stringify({ a: SECRET }), `{"password":"\\"${SECRET}",}`]
  const calls: readonly (readonly [path: string, init?: RequestInit])[] = [
    ...schemes.map((scheme) => [HISTORIES, { headers: { authorization: scheme + SECRET } }] as const),
    ...headers.map((name) => [HISTORIES, { headers: { [name]: SECRET } }] as const),
    [HISTORIES, { headers: { cookie: `session=${SECRET}; b=1` } }],
    [`${HISTORIES}&q=${encoded}`, { headers: { cookie: `session="${SECRET}"` } }],
    [HISTORIES, { headers: { referer: `http://a.test/?token=${SECRET}` } }],
    [`${HISTORIES}&next=${encodeURIComponent(`http://user:${SECRET.replaceAll('/', '')}@a.test/`)}`],
    ...names.flatMap((name) => [
      [`${HISTORIES}&${name}=${SECRET}`] as const,
      [`${HISTORIES}&${name}=${encoded}&${name}=${encoded}&q=${encoded}`] as const,
      [`${HISTORIES}&__code=401&${name}=${encoded.toLowerCase()}`] as const,
    ]),
    [`/nowhere/${encoded}?token=${SECRET}`, { headers: bearer }],
    [`${SEARCH}&keyword=${encoded}`, { headers: bearer }],
    ...bodies.map((body) => [INVITE, { method: 'POST', headers: bearer, body }] as const),
  ]
  for (const [path, init] of calls) await fetchUrl(url + path, init)
  t.equal((await adminOf(server).requests()).length, calls.length, 'every call is in the journal')
  const texts: Record<string, string> = {}
  for (const path of ['', '?format=curl', '/x1'])
    texts[`requests${path}`] = await (await fetch(`${url}/__admin/requests${path}`)).text()
  const reader = events.body!.getReader()
  let stream = ''
  while (!stream.includes(`id: x${calls.length}\n`)) stream += Buffer.from((await reader.read()).value ?? []).toString()
  await reader.cancel()
  for (const [place, text] of Object.entries({ ...texts, events: stream })) {
    for (const form of [SECRET, encoded, 'secret', 'sEcReT']) t.notOk(text.includes(form), `${place}: no ${form}`)
    t.match(text, /\[redacted\]|\$TOKEN/, `${place}: a placeholder replaces it`)
  }
})

const skip = !existsSync(CURL) && `${CURL} is not installed here`

t.test('a curl line of the journal repeats the request, and the shell runs no part of it', { skip }, async (t) => {
  const { server, url } = await listeningServer(t)
  const cwd = folder(t)
  const evil = '$TOKEN$(touch evil)`touch evil`"\'; touch evil; #'
  const headers = { authorization: 'Bearer token-admin', 'x-note': evil, 'x-empty': '' }
  const body = formOf({ first_name: evil, last_name: '@/etc/hostname;type=x' })
  const calls: readonly (readonly [path: string, init: RequestInit])[] = [
    [`${SEARCH}&keyword[sample_1]=contract&x={a}`, { headers }],
    [`${SEARCH}&keyword[sample_1]=${encodeURIComponent(evil)}$TOKEN$(touch$IFS%22evil)`, { headers }],
    [MEMBER, { method: 'PUT', headers, body }],
    [MEMBER, { method: 'PUT', headers, body: formOf({ first_name: '(x', last_name: '"q\u001b]0;\u009b\u0007" ' }) }],
    [`${LINK}?email=grace%40example.test`, { method: 'POST', headers, body: `{"a":"${evil}\u001b[31m"}` }],
    [MEMBER, { method: 'PUT', headers: { authorization: 'Bearer token-member' } }],
  ]
  for (const [at, [path, init]] of calls.entries()) {
    const { status } = await fetch(url + path, init)
    const { method, request } = await lastExchange(server)
    const line = await (await fetch(`${url}/__admin/requests?format=curl&limit=1`)).text()
    t.notMatch(line.trim(), /[\0-\x08\x0b-\x1f\x7f-\x9f]/, `line ${at + 1} has no control character`)
    const env = { TOKEN: path === MEMBER && init.body === undefined ? 'token-member' : 'token-admin' }
    const command = `${line.trim()} -sS -o /dev/null -w '%{http_code}'`
    const replay = await launch(t, 'sh', ['-c', command], { cwd, env }).ended
    t.match(replay, { code: 0, out: String(status) }, `line ${at + 1} gets the same status`, { line })
    const again = await lastExchange(server)
    t.same(
      [again.method, again.request.query, again.request.body],
      [method, request.query, request.body],
      `line ${at + 1}`,
    )
    t.equal(again.request.headers['x-empty'], request.headers['x-empty'], `line ${at + 1}: its empty header`)
  }
  t.notOk(existsSync(join(cwd, 'evil')), 'the shell ran no part of the line')
})

t.test('tokens of users and of admin are redacted, even in a path, a value or a message', async (t) => {
  for (const token of ['token-admin', 'token-member', 'known-admin-secret']) {
    let log = ''
    const print = (lines: string) => {
      log += lines
    }
    const { app } = await build(t, { adminToken: 'known-admin-secret', logRequests: true }, { print })
    const bearer = (name: string) => ({ authorization: `Bearer ${name}` })
    const escaped = Buffer.from(token).toString('hex').replaceAll(/../g, '%$&')
    const invalid = `/api/v2/credits/histories?page=${token}&per_page=1&organization_uuid=x`
    const calls: readonly InjectOptions[] = [
      { url: `/oops/${token}` },
      { url: `/oops/${escaped}`, headers: { 'x-note': token, [token]: '1' } },
      { url: `/oops/${token}`, headers: bearer('token-admin') },
      { url: `/api/v2/projects/${token}/link`, method: 'POST' },
      { url: invalid, headers: bearer('token-other') },
      { url: `/nowhere/${encodeURIComponent(`<${token}>`)}.json` },
    ]
    for (const call of calls) await app.inject(call)
    for (const form of [{ file: undefined, code: token }, { user_uuid: token }])
      t.match((await app.inject(requestOf(verifyDocument, { form }))).body, '[redacted]', `${token}: not in a message`)
    const journal = await app.inject({ url: '/__admin/requests', headers: bearer('known-admin-secret') })
    t.match(journal.json().requests, { length: calls.length + 2 }, `${token}: every call is in the journal`)
    for (const form of [token, escaped]) t.notMatch(journal.body, form, `${token}: not in the journal`)
    t.match(log, '/oops/[redacted]', `${token}: a placeholder replaces it`)
    t.notMatch(log, token, `${token}: not in the terminal`)
  }
})

/** Options that take URLs, with invalid values that contain a secret, separated by spaces. */
const invalidUrls: Readonly<Record<string, string>> = {
  smtp: 'u:s3cr3t@mail:25 u:s3cr3t%40mail smtp:u:s3cr3t@mail smtp://u:s3/cr3t@s3cr3t@mail:99999 ?s3cr3t',
  provider: 'u:s3cr3t@mail https://mail/?token=s3cr3t https://u:s3cr3t@mail //u:s3cr3t@mail x#s3cr3t',
  'public-url': 'u:s3cr3t@mail https://u:s3cr3t@mail/?token=s3cr3t https://mail?s3cr3t',
}

t.test('no complaint about an option shows possible credentials', async (t) => {
  for (const [option, values] of Object.entries(invalidUrls))
    for (const value of values.split(' ')) {
      const variable = `COUNTERSIGN_${option.toUpperCase().replace('-', '_')}`
      for (const [source, args, place] of [
        ['flag', ['start', `--${option}=${value}`], {}],
        ['variable', ['start'], { env: { [variable]: value } }],
        ['file', ['start'], { cwd: folder(t, { [CONFIG]: `${option.replace('-url', 'Url')}: '${value}'\n` }) }],
      ] as const) {
        const { code, err } = await run(t, args, place)
        const label = `${option} ${value} by ${source}`
        t.match([code, err], [source === 'flag' ? 2 : 1, 'must be a URL such as'], `${label} is rejected`)
        t.match(err, '[redacted]', `${label}: a placeholder replaces it`)
        t.notMatch(err, /s3|cr3t/, `${label}: the secret is not shown`)
      }
    }
  const target = await run(t, ['verify', '--token', 'x', '--target', 'u:s3cr3t@mail/?s3cr3t'])
  t.match(target, { code: 2, err: /not '\[redacted\]@mail/ }, '--target is redacted, too')
})
