import t from 'tap'
import { addOrganizationMember, createSigningLink } from '../../schemas/index.js'
import type { Message } from '../../src/index.js'
import { adminOf, build, send } from '../helper.js'

type Headers = Readonly<Record<string, string>>

const HOST = { host: 'localhost:4010' }

const TWO_PROXIES = {
  'x-forwarded-host': 'a.test, b.test',
  'x-forwarded-proto': 'HTTPS, http',
  'x-forwarded-prefix': '/a/b, /c',
}
const FORWARDED = 'for=1.2.3.4;Host="app.test:81";proto=https, host=inner.test'

const cases: readonly (readonly [label: string, headers: Headers, base: string])[] = [
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
  ['a prefix with another host', { ...HOST, 'x-forwarded-prefix': '//evil.test' }, 'http://localhost:4010'],
  ['an invalid port', { ...HOST, 'x-forwarded-host': 'app.test:99999' }, 'http://localhost:4010'],
  ['an unclosed quote', { ...HOST, forwarded: `host="${'a'.repeat(5_000)}` }, 'http://localhost:4010'],
]

t.test('links in answers, mails and examples begin with the URL that the client called', async (t) => {
  for (const [label, headers, base] of cases) {
    const server = await build(t)
    for (const sandbox of [undefined, 'w-1']) {
      const sandboxUrl = sandbox === undefined ? base : `${base}/~w-1`
      const signing = async (more = {}) =>
        (await send(server, createSigningLink, { headers: { ...headers, ...more }, sandbox })).json().link
      await send(server, addOrganizationMember, { headers, sandbox })
      const [{ links, text, html }] = (await adminOf(server, sandbox).mails()) as [Message]
      const openapi = await server.app.inject({ url: `${sandbox ? '/~w-1' : ''}/__admin/openapi.json`, headers })
      for (const [place, link, expected] of [
        ['a signing link', await signing(), `${sandboxUrl}/sign/`],
        ['a sample', await signing({ prefer: 'code=200' }), `${sandboxUrl}/`],
        ['a mail', links.accept, `${sandboxUrl}/invitations/`],
        ['a mail’s text', text.slice(text.indexOf('http')), `${sandboxUrl}/invitations/`],
        ['a mail’s HTML', html.slice(html.indexOf('"http') + 1), `${sandboxUrl}/invitations/`],
      ] as const)
        t.equal(link.slice(0, expected.length), expected, `${label}: ${place}`)
      t.equal(openapi.json().servers[0].url, sandboxUrl, `${label}: the OpenAPI document`)
    }
    const curl = await server.app.inject({ url: '/__admin/requests/x1?format=curl', headers })
    t.ok(curl.body.includes(`'${base}/`), `${label}: a curl line`)
  }
})

t.test('--public-url overrides forwarded headers', async (t) => {
  const server = await build(t, { publicUrl: 'https://public.test/base/' })
  const headers = { 'x-forwarded-host': 'app.test' }
  const { link } = (await send(server, createSigningLink, { headers, sandbox: 'w-1' })).json()
  t.ok(link.startsWith('https://public.test/base/~w-1/sign/'), link)
})

t.test('a page behind a proxy can submit its forms, and pages of other origins cannot', async (t) => {
  const server = await build(t)
  const url = '/invitations/unknown/accept'
  for (const [label, headers, status] of [
    ['the same origin', { origin: 'https://app.test', 'x-forwarded-host': 'app.test' }, 303],
    ['the same origin, by Forwarded', { origin: 'https://app.test', forwarded: 'host=app.test' }, 303],
    ['another origin', { origin: 'https://evil.test', 'x-forwarded-host': 'app.test' }, 403],
  ] as const) {
    const { statusCode } = await server.app.inject({ method: 'POST', url, headers: { ...HOST, ...headers } })
    t.equal(statusCode, status, label)
  }
  const headers = { ...HOST, origin: 'https://evil.test', 'access-control-request-headers': 'x-forwarded-host' }
  const preflight = await server.app.inject({ method: 'OPTIONS', url, headers })
  t.equal(preflight.headers['access-control-allow-origin'], undefined, 'a page may not set X-Forwarded-Host')
})
