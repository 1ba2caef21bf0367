import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { uploadSignature } from '../../schemas/index.js'
import { formOf, UPLOAD } from '../by-hand.js'
import { fetched, lastExchange } from '../helper.js'
import { dialects } from '../http/dialects.js'
import { bytes, PNG } from '../http/forms.js'
import { malformed } from '../http/malformed.js'
import { shownForm } from '../http/reading.js'
import { bodyOf, whole } from '../http/sent.js'
import { listening } from '../wire.js'
import { forwarding, jsonAnswer } from './provider.js'

const good = jsonAnswer(sampleBody(uploadSignature, 200))
const all = [
  ...Object.entries(dialects).map(([name, [chunks]]) => [name, chunks] as const),
  ...Object.entries(malformed).map(([name, make]) => [name, make(uploadSignature)[0]] as const),
]

t.test('every dialect passes byte for byte, and is judged as by the mock', async (t) => {
  const front = await forwarding(t, good)
  const mock = await listening(t)
  for (const [name, chunks] of all) {
    await mock.exchange(chunks)
    t.equal((await front.exchange(chunks)).status, 200, `${name}: the provider answers`)
    const got = front.requests.at(-1) as Buffer
    t.ok(bodyOf(got).equals(bodyOf(whole(chunks))), `${name}: its body is the same`)
    const [ours, theirs] = [lastExchange(front.server), lastExchange(mock.server)]
    t.same(ours.violations, theirs.violations, `${name}: so is what is wrong with it`)
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
