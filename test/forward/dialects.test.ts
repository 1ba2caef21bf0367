import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { addOrganizationMember, uploadSignature, verifyDocument } from '../../schemas/index.js'
import type { Exchange } from '../../src/world/journal/exchange.js'
import { formOf, UPLOAD } from '../by-hand.js'
import { type Changes, fetched, fileOf, fixtureFile, lastExchange, requestOf } from '../helper.js'
import { dialects } from '../http/dialects.js'
import { bytes, PNG } from '../http/forms.js'
import { malformed } from '../http/malformed.js'
import { shownForm } from '../http/reading.js'
import { bodyOf, whole } from '../http/sent.js'
import { listening } from '../wire.js'
import { ask, forwarding, jsonAnswer } from './provider.js'

const good = jsonAnswer(sampleBody(uploadSignature, 200))
const all = [
  ...Object.entries(dialects).map(([name, [chunks]]) => [name, chunks] as const),
  ...Object.entries(malformed).map(([name, make]) => [name, make(uploadSignature)[0]] as const),
]

/** What is wrong with a request; the provider here refuses nothing. */
const toldBy = ({ violations }: Exchange) => violations.map(({ refusedWith, ...violation }) => violation)

t.test('every dialect passes byte for byte, and is judged as by the mock', async (t) => {
  const front = await forwarding(t, good)
  const mock = await listening(t)
  for (const [name, chunks] of all) {
    await mock.exchange(chunks)
    t.equal((await front.exchange(chunks)).status, 200, `${name}: the provider answers`)
    const got = front.requests.at(-1) as Buffer
    t.ok(bodyOf(got).equals(bodyOf(whole(chunks))), `${name}: its body is the same`)
    const [ours, theirs] = [lastExchange(front.server), lastExchange(mock.server)]
    t.same(toldBy(ours), toldBy(theirs), `${name}: so is what is wrong with it`)
    t.same(shownForm(ours.form), shownForm(theirs.form), `${name}: and what the journal shows`)
  }
})

t.test('a form of many megabytes is judged as it passes', async (t) => {
  const { url, server } = await forwarding(t, good)
  const sent = async (fields: Record<string, string | Blob>) => {
    const headers = { authorization: 'Bearer whoever' }
    await fetched(url + UPLOAD, { method: 'POST', body: formOf(fields), headers })
    return lastExchange(server)
  }
  const picture = bytes(PNG, Buffer.alloc(3 * 1024 * 1024, 'x'))
  const large = new File([picture], 'large.png', { type: 'image/png' })
  const { violations, form } = await sent({ source: 'drawn', file: large })
  t.same(violations, [], 'nothing is wrong')
  t.match(form, { source: 'drawn', file: { filename: 'large.png', size: large.size, sha256: /^[\da-f]{64}$/ } })
  const slips = [{ code: 'misnamed-field' }, { code: 'placeholder-value' }]
  t.match((await sent({ file: large, souce: 'undefined' })).violations, slips)
  const text = `data:image/png;base64,${'A'.repeat(2_000_000)}`
  t.match((await sent({ file: new File([text], 'a.png') })).violations, [{ code: 'file-as-text' }])
})

/** More than is kept of what passes: such a form is read as it streams by. */
const LONG = 2 * 1024 * 1024
const SVG = `<!-- ${'x'.repeat(3_000)} --><svg xmlns="http://www.w3.org/2000/svg"/>`

const long = (beginning: string) => fileOf(beginning.padEnd(LONG, ' '))

t.test('what a form alone is refused for is a violation with a provider as without', async (t) => {
  const front = await forwarding(t, jsonAnswer({}))
  const mock = await listening(t)
  const cases: [contract: typeof uploadSignature | typeof verifyDocument, form: Changes['form'], code?: string][] = [
    [uploadSignature, { file: fileOf('') }, 'empty-file'],
    [uploadSignature, { file: fileOf('hello') }, 'not-an-image'],
    [uploadSignature, { file: long('hello') }, 'not-an-image'],
    [uploadSignature, { file: fixtureFile('signature.png') }],
    [uploadSignature, { file: long(SVG) }],
    [verifyDocument, { file: undefined, code: undefined }, 'missing-parameter'],
    [verifyDocument, { file: fileOf('hello'), code: undefined }, 'not-a-pdf'],
    [verifyDocument, { file: long('hello'), code: undefined }, 'not-a-pdf'],
    [verifyDocument, { file: long('%PDF-1.7'), code: undefined }],
  ]
  for (const [contract, form, code] of cases) {
    for (const { url: base } of [mock, front]) await ask(requestOf(contract, { form: form ?? {} }), base)
    const [{ violations }, without] = [lastExchange(front.server), lastExchange(mock.server)]
    const codes = violations.map((one) => one.code)
    const name = `${contract.id}, ${code ?? 'nothing wrong'}`
    t.same(codes, code === undefined ? [] : [code], name)
    t.same(violations, toldBy(without), `${name}: as without a provider`)
  }
})

t.test('what only the world knows is the provider’s to say', async (t) => {
  const { url, server } = await forwarding(t, jsonAnswer({}))
  await ask(requestOf(addOrganizationMember, { form: { 'data[0][organization_id]': '999' } }), url)
  t.same(lastExchange(server).violations, [])
})

t.test('which status a call without a user type gets is the provider’s to say', async (t) => {
  const { url, server } = await forwarding(t, jsonAnswer({}, [], '422 Unprocessable Entity'))
  for (const user_type of [undefined, 'ENTERPRISE_API']) {
    const basis = user_type === undefined ? 'reading' : 'documented'
    await ask(requestOf(addOrganizationMember, { query: { user_type } }), url)
    t.match(lastExchange(server).deviations, [{ code: 'undeclared-status', basis }], `${user_type}`)
  }
})
