import t from 'tap'
import { addOrganizationMember, createSigningLink } from '../../schemas/index.js'
import type { Message } from '../../src/index.js'
import { run } from '../command-line.js'
import { adminOf, build, send } from '../helper.js'

type Headers = Readonly<Record<string, string>>

const HOST = { host: 'localhost:4010' }

const TWO_PROXIES = {
  'x-forwarded-host': 'a.test, b.test',
  'x-forwarded-proto': 'HTTPS, http',
  'x-forwarded-prefix': '/a/b, /c',
}
const FORWARDED = 'for=1.2.3.4;Host="app.test:81";proto=https, host=inner.test'

const ways: readonly (readonly [what: string, headers: Headers, base: string])[] = [
  ['the host', HOST, 'http://localhost:4010'],
  ['X-Forwarded-Host', { ...HOST, 'x-forwarded-host': 'app.test:8443' }, 'http://app.test:8443'],
  ['X-Forwarded-Proto', { ...HOST, 'x-forwarded-proto': 'https' }, 'https://localhost:4010'],
  ['X-Forwarded-Prefix', { ...HOST, 'x-forwarded-prefix': '/mock/' }, 'http://localhost:4010/mock'],
  ['all three, of two proxies', { ...HOST, ...TWO_PROXIES }, 'https://a.test/a/b'],
  ['Forwarded', { ...HOST, forwarded: FORWARDED }, 'https://app.test:81'],
  [
    'Forwarded, which wins over X-Forwarded-Host',
    { ...HOST, forwarded: 'host=one.test', 'x-forwarded-host': 'two.test' },
    'http://one.test',
  ],
  ['an IPv6 host', { host: '[::1]:4010', 'x-forwarded-host': '[2001:db8::1]:80' }, 'http://[2001:db8::1]:80'],
  ['an invalid host', { ...HOST, 'x-forwarded-host': 'evil.test/"><script>' }, 'http://localhost:4010'],
  ['an invalid scheme', { ...HOST, 'x-forwarded-proto': 'javascript' }, 'http://localhost:4010'],
  ['a prefix that leads elsewhere', { ...HOST, 'x-forwarded-prefix': '//evil.test' }, 'http://localhost:4010'],
  ['a prefix with markup', { ...HOST, 'x-forwarded-prefix': '/a"><b' }, 'http://localhost:4010'],
  ['an invalid port', { ...HOST, 'x-forwarded-host': 'app.test:99999' }, 'http://localhost:4010'],
  ['a quote that never ends', { ...HOST, forwarded: `host="${'a'.repeat(5_000)}` }, 'http://localhost:4010'],
]

t.test('links in answers, mails and examples begin with the address that the client called', async (t) => {
  for (const [what, headers, base] of ways) {
    const server = await build(t)
    for (const sandbox of [undefined, 'w-1']) {
      const sandboxUrl = sandbox === undefined ? base : `${base}/~w-1`
      const signing = async (more = {}) =>
        (await send(server, createSigningLink, { headers: { ...headers, ...more }, sandbox })).json().link
      await send(server, addOrganizationMember, { headers, sandbox })
      const [{ links, text, html }] = (await adminOf(server, sandbox).mails()) as [Message]
      const openapi = await server.app.inject({ url: `${sandbox ? '/~w-1' : ''}/__admin/openapi.json`, headers })
      for (const [where, found, begins] of [
        ['a signing link', await signing(), `${sandboxUrl}/sign/`],
        ['a sample', await signing({ prefer: 'code=200' }), `${sandboxUrl}/`],
        ['a mail', links.accept, `${sandboxUrl}/invitations/`],
        ['its text', text.slice(text.indexOf('http')), `${sandboxUrl}/invitations/`],
        ['its HTML', html.slice(html.indexOf('"http') + 1), `${sandboxUrl}/invitations/`],
      ] as const)
        t.equal(found.slice(0, begins.length), begins, `${what}: ${where}`)
      t.equal(openapi.json().servers[0].url, sandboxUrl, `${what}: the OpenAPI document`)
    }
    const curl = await server.app.inject({ url: '/__admin/requests/x1?format=curl', headers })
    t.ok(curl.body.includes(`'${base}/`), `${what}: what is copied as curl`)
  }
})

t.test('--public-url comes before forwarded headers', async (t) => {
  const server = await build(t, { publicUrl: 'https://public.test/base/' })
  const headers = { 'x-forwarded-host': 'app.test' }
  const { link } = (await send(server, createSigningLink, { headers, sandbox: 'w-1' })).json()
  t.ok(link.startsWith('https://public.test/base/~w-1/sign/'), link)
  const refused = { code: 2, err: /--public-url must be a URL such as/ }
  const unfit = ['public.test', 'https://u:p@public.test', 'ftp://public.test', 'https://public.test/?x', 'https://']
  for (const wrong of unfit) t.match(await run(t, ['start', '--public-url', wrong]), refused, wrong)
})

t.test('a page behind a proxy may submit its forms, and no other page may', async (t) => {
  const server = await build(t)
  const url = '/invitations/unknown/accept'
  for (const [who, headers, status] of [
    ['its own', { origin: 'https://app.test', 'x-forwarded-host': 'app.test' }, 303],
    ['by Forwarded, too', { origin: 'https://app.test', forwarded: 'host=app.test' }, 303],
    ['another', { origin: 'https://evil.test', 'x-forwarded-host': 'app.test' }, 403],
    ['an origin that no proxy forwards', { origin: 'https://app.test' }, 403],
  ] as const) {
    const { statusCode } = await server.app.inject({ method: 'POST', url, headers: { ...HOST, ...headers } })
    t.equal(statusCode, status, who)
  }
  const headers = { ...HOST, origin: 'https://evil.test', 'access-control-request-headers': 'x-forwarded-host' }
  const preflight = await server.app.inject({ method: 'OPTIONS', url, headers })
  t.equal(preflight.headers['access-control-allow-origin'], undefined, 'a page may not set X-Forwarded-Host')
})
