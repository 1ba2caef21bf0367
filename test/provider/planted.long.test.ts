import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { run } from '../command-line.js'
import { countersign, provider, verify } from '../forward/provider.js'

interface Call {
  readonly method: string
  url: string
  authorization?: string | undefined
}

interface Answer {
  status: number
  type: string
  text: string
}

/** What a provider does otherwise than countersign: to a call before it reads it, or to its answer. */
type Otherwise = (call: Call, answer?: Answer) => void

async function providerThat(t: Test, otherwise: Otherwise): Promise<string> {
  const mock = await countersign(t)
  const { url } = await provider(t, async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await buffer(request)
    const call: Call = { method, url, authorization: headers.authorization }
    otherwise(call)
    const sent: Record<string, string> = {}
    if (call.authorization !== undefined) sent.authorization = call.authorization
    for (const name of ['user-token', 'content-type']) if (headers[name]) sent[name] = String(headers[name])
    const received = await fetch(mock.url + call.url, { method, headers: sent, ...(body.length > 0 && { body }) })
    const answer = {
      status: received.status,
      type: received.headers.get('content-type') ?? '',
      text: await received.text(),
    }
    otherwise(call, answer)
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.text)
  })
  return url
}

const asked = (from: RegExp, to: string) => (call: Call) => {
  call.url = call.url.replace(from, to)
}
const told = (from: RegExp, to: string) => (_: Call, answer?: Answer) => {
  if (answer?.status === 200) answer.text = answer.text.replace(from, to)
}
const status = (from: number, to: number) => (_: Call, answer?: Answer) => {
  if (answer?.status === from) answer.status = to
}
const type = (type: string) => (_: Call, answer?: Answer) => {
  if (answer !== undefined) answer.type = type
}
const asAdmin = (token: RegExp) => (call: Call) => {
  call.authorization = call.authorization?.replace(token, 'token-admin')
}

const deviations: readonly (readonly [statement: string, name: string, otherwise: Otherwise])[] = [
  ['SA.4', 'any token is taken', asAdmin(/(?<=Bearer ).+/)],
  ['SA.4', 'a wrong token is 403', status(401, 403)],
  ['SA.5', 'everybody may manage members', asAdmin(/token-member/)],
  ['S0.3', 'answers are HTML', type('text/html')],
  ['S4.', 'the first keyword is ignored', asked(/sample_1(\]|%5D)=[^&]+/, 'sample_1$1=contract')],
  ['S5.2', 'the page is ignored', asked(/([?&]page=)\d+/, '$11')],
  ['S5.2', 'the size is ignored', asked(/per_page=\d+/, 'per_page=20')],
  ['S5.5', 'the order is ignored', asked(/&order=(asc|desc)/, '')],
  ['S5.5', 'the order is turned around', asked(/order=asc/, 'order=desc')],
  ['S5.6', 'the page told is always the first', told(/"page":\d+/, '"page":1')],
  ['S5.9', 'currencies are signs', told(/"EUR"/g, '"€"')],
  ['SE.4', 'a member who is there already is 422', status(409, 422)],
  ['S7.5', 'all recipients get one link', told(/"link":"[^"]+"/, '"link":"https://sign.example.test/a"')],
]

t.test('what a provider does otherwise than the document is found, and told of its statement', async (t) => {
  for (const [statement, name, otherwise] of deviations) {
    const url = await providerThat(t, otherwise)
    const { code, text } = await verify(t, url, '--allow-writes', '--token-without-permission', 'token-member')
    t.match({ code, text }, { code: 1, text: new RegExp(`✗ [^\\n]*${statement.replace('.', '\\.')}\\b`) }, name)
  }
})

const harmless: readonly (readonly [name: string, otherwise: Otherwise])[] = [
  ['JSON is indented', told(/^[\s\S]+$/, '\n$&\n')],
  ['objects have further fields', told(/^\{/, '{"_links":{"self":"/x"},"note_2":null,')],
  ['UTC is written +00:00', told(/(T[\d:.]+)Z"/g, '$1+00:00"')],
  ['times have no fractions', told(/(T[\d:]+)\.\d+Z"/g, '$1Z"')],
  ['the content type has another charset', type('Application/JSON;charset=utf-8')],
]

t.test('what the document leaves open is no drift', async (t) => {
  for (const [name, otherwise] of harmless) {
    const url = await providerThat(t, otherwise)
    for (const flags of [[], ['--allow-writes']]) {
      const { code, text } = await verify(t, url, '--token-without-permission', 'token-member', ...flags)
      t.match({ code, text }, { code: 0, text: / 0 drift/ }, `${name} ${flags}`)
    }
  }
})

/** What only who knows the provider's records, or its mail, can see. */
const UNSEEN = [
  'addOrganizationMember:200/effect/without-effect',
  'uploadSignature:200/effect/without-effect',
  'searchProtectedAttachments:200/answer/status-404',
  'searchProtectedAttachments:200/data/empty-list',
  'searchProtectedAttachments:200/data/last-gone',
  'updateSubOrganizationMember:200/answer/status-400',
  'verifyDocument:200/answer/status-404',
  'verifyDocument:200/answer/status-422',
  'verifyDocument:404/answer/status-422',
  'verifyDocument:422/answer/status-400',
  'verifyDocument:422/answer/status-404',
]

t.test('verify finds what mutants make untrue', async (t) => {
  const all: { mutant: string }[] = JSON.parse((await run(t, ['list', 'mutants', '--json'])).out)
  const seen = all.map(({ mutant }) => mutant).filter((id) => !id.includes(':500/') && !UNSEEN.includes(id))
  t.ok(seen.length > 200, `${seen.length} mutants`)
  const mock = await countersign(t)
  const missed: string[] = []
  for (const [at, id] of seen.filter((_, nth) => nth % 6 === 0).entries()) {
    const sandbox = await mock.sandbox(`m${at}`)
    await sandbox.scenarios.activate(`mutant:${id}`)
    const [operation] = id.split(':')
    // Another operation shows that the provider is there, and takes the token.
    const only = `${operation},${operation === 'verifyDocument' ? 'listCreditHistories' : 'verifyDocument'}`
    const flags = ['--allow-writes', '--token-without-permission', 'token-member', '--only', only]
    const { code } = await verify(t, sandbox.url, ...flags)
    if (code !== 1) missed.push(id)
  }
  t.strictSame(missed, [])
})
