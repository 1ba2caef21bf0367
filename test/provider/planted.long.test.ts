import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { run } from '../command-line.js'
import { countersign, provider, verify } from '../forward/provider.js'

type AlterAnswer = (answer: { status: number; type: string; text: string }) => void

async function startAlteredProvider(t: Test, alter: AlterAnswer): Promise<string> {
  const mock = await countersign(t)
  const { url } = await provider(t, async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await buffer(request)
    const sent: Record<string, string> = {}
    for (const name of ['authorization', 'user-token', 'content-type'])
      if (headers[name] !== undefined) sent[name] = String(headers[name])
    const received = await fetch(mock.url + url, { method, headers: sent, ...(body.length > 0 && { body }) })
    const type = received.headers.get('content-type') ?? ''
    const answer = { status: received.status, type, text: await received.text() }
    alter(answer)
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.text)
  })
  return url
}

const replaceInBody = (from: RegExp, to: string) => (answer: Parameters<AlterAnswer>[0]) => {
  if (answer.status === 200) answer.text = answer.text.replace(from, to)
}
const replaceType = (type: string) => (answer: Parameters<AlterAnswer>[0]) => {
  answer.type = type
}

const harmless: readonly (readonly [name: string, alter: AlterAnswer])[] = [
  ['JSON is indented', replaceInBody(/^[\s\S]+$/, '\n$&\n')],
  ['objects have further fields', replaceInBody(/^\{/, '{"_links":{"self":"/x"},"note_2":null,')],
  ['UTC is written +00:00', replaceInBody(/(T[\d:.]+)Z"/g, '$1+00:00"')],
  ['times have no fractions', replaceInBody(/(T[\d:]+)\.\d+Z"/g, '$1Z"')],
  ['the content type has another charset', replaceType('Application/JSON;charset=utf-8')],
]

t.test('a difference that the document leaves open is no drift', async (t) => {
  for (const [name, alter] of harmless) {
    const url = await startAlteredProvider(t, alter)
    for (const flags of [[], ['--allow-writes']]) {
      const { code, text } = await verify(t, url, '--token-without-permission', 'token-member', ...flags)
      t.match({ code, text }, { code: 0, text: / 0 drift/ }, `${name} ${flags}`)
    }
  }
})

/** Only the provider's own records and mail would show these mutants. */
const UNDETECTABLE = [
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

const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 11)

const mistakes: readonly (readonly [finding: string, alter: AlterAnswer])[] = [
  ['✗ S5.7  total: The total is 0, but', replaceInBody(/"total":26/, '"total":0')],
  ["✗ S4.7  data: Two attachments have the same 'dna'", replaceInBody(/"dna":"\w+"/g, '"dna":"1"')],
  ['✗ S4.5  data[*].status, 1 of', replaceInBody(/"status":"protected"/, '"status":"draft"')],
  ['~ I-08  document.verified_at: The time differs from', replaceInBody(/("verified_at":")[^T]+T/, `$1${tomorrow}`)],
]

t.test('verify finds mistakes that show only when answers are compared', async (t) => {
  for (const [finding, alter] of mistakes)
    t.match((await verify(t, await startAlteredProvider(t, alter))).text, finding, finding)
})

t.test('verify finds detectable mutants', async (t) => {
  const all: { mutant: string }[] = JSON.parse((await run(t, ['list', 'mutants', '--json'])).out)
  const detectable = all.map(({ mutant }) => mutant).filter((id) => !id.includes(':500/') && !UNDETECTABLE.includes(id))
  t.ok(detectable.length > 200, `${detectable.length} mutants`)
  const mock = await countersign(t)
  const missed: string[] = []
  for (const [at, id] of detectable.filter((_, nth) => nth % 6 === 0).entries()) {
    const sandbox = await mock.sandbox(`m${at}`)
    await sandbox.scenarios.activate(`mutant:${id}`)
    const [operation] = id.split(':')
    // A second operation shows that the provider answers and accepts the token.
    const only = `${operation},${operation === 'verifyDocument' ? 'listCreditHistories' : 'verifyDocument'}`
    const flags = ['--allow-writes', '--token-without-permission', 'token-member', '--only', only]
    const { code } = await verify(t, sandbox.url, ...flags)
    if (code !== 1) missed.push(id)
  }
  t.strictSame(missed, [])
})
