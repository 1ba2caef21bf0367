import t from 'tap'
import { addOrganizationMember, uploadSignature, verifyDocument } from '../../schemas/index.js'
import { type Changes, fileOf, fixtureFile, lastExchange, requestOf } from '../helper.js'
import { listening } from '../wire.js'
import { ask, forwarding, jsonAnswer } from './provider.js'

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
    t.same(violations, without.violations, `${name}: as without a provider`)
  }
})

t.test('what only the world knows is the provider’s to say', async (t) => {
  const { url, server } = await forwarding(t, jsonAnswer({}))
  await ask(requestOf(addOrganizationMember, { form: { 'data[0][organization_id]': '999' } }), url)
  t.same(lastExchange(server).violations, [])
})

t.test('which status a call without a user type gets is the provider’s to say', async (t) => {
  const { url, server } = await forwarding(t, jsonAnswer({}, [], '422 Unprocessable Entity'))
  for (const [user_type, basis] of [
    [undefined, 'reading'],
    ['ENTERPRISE_API', 'documented'],
  ] as const) {
    await ask(requestOf(addOrganizationMember, { query: { user_type } }), url)
    t.match(lastExchange(server).deviations, [{ code: 'undeclared-status', basis }], `${user_type}`)
  }
})
