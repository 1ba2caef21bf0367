import t from 'tap'
import { isFile } from '../../schemas/common.js'
import { addOrganizationMember } from '../../schemas/index.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { all, answerOf, build, type Changes, fileOf, lastExchange, send } from '../helper.js'
import { inProportion } from '../proportion.js'

/** Texts that a pattern with two overlapping repetitions would try to divide in every way. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'letters before a control character': (length) => `${'a'.repeat(length)}\u0001`,
  'a pasted text with the end of its line': (length) => `${'a '.repeat(length / 2)}\r\n`,
  'blanks alone': (length) => ' '.repeat(length),
  'parts of an e-mail address': (length) => `${'a@b.'.repeat(length / 4)} `,
  'digits before a letter': (length) => `${'1'.repeat(length)}x`,
  'hyphens and digits': (length) => '0-'.repeat(length / 2),
  'control characters': (length) => '\u0001'.repeat(length),
}

const LONGEST_FIELD = 250_000
/** What Node takes of a request's head. */
const LONGEST_HEAD = 16_000

t.test('a name may be as long as a body, whatever its letters', async (t) => {
  const server = await build(t)
  for (const letters of ['a', 'é', '俊']) {
    const form = { 'data[0][last_name]': letters.repeat(12_000_000) }
    const { statusCode } = await send(server, addOrganizationMember, { form, sandbox: 'long' })
    t.equal(statusCode, 200, `twelve million times ${letters}`)
    server.worlds.delete('long')
  }
  const long = { 'data[0][last_name]': `${'俊'.repeat(12_000_000)}\u0001` }
  const refused = answerOf(await send(server, addOrganizationMember, { form: long }))
  const error = { message: 'without control characters' }
  t.match(refused, { status: 400, body: { error } }, 'but for a control character')
})

for (const contract of all) {
  t.test(`${contract.id} reads a long text in time in proportion to its length`, async (t) => {
    const server = await build(t)
    /** Sends requests, and looks at what the journal says of them: the corrected request is made then. */
    const holds = (label: string, longest: number, changesOf: (length: number) => Changes) =>
      inProportion(t, label, longest, async (length) => {
        await send(server, contract, changesOf(length))
        entryOf(lastExchange(server))
      })
    for (const [label, text] of Object.entries(TEXTS)) {
      for (const [field, schema] of Object.entries(contract.form?.properties ?? {}))
        await holds(`${label} in the form field ${field}`, LONGEST_FIELD, (length) => {
          const value = isFile(schema) ? fileOf('x', text(length), text(length)) : text(length)
          return { form: { [field]: value } }
        })
      const inHead = (place: string, changesOf: (text: string) => Changes) =>
        holds(`${label} ${place}`, LONGEST_HEAD, (length) => changesOf(text(length)))
      await inHead('as the name of a query parameter', (text) => ({ query: { [text]: 'x' } }))
      for (const name of Object.keys(contract.query.properties))
        await inHead(`in the query parameter ${name}`, (text) => ({ query: { [name]: text } }))
      for (const name of Object.keys(contract.params.properties))
        await inHead(`in the path variable ${name}`, (text) => ({ params: { [name]: text } }))
      if (/^[\x20-\x7e]+$/.test(text(10)))
        await inHead('as the token', (text) => ({ headers: { authorization: `Bearer ${text}` } }))
    }
  })
}
