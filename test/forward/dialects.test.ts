import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { uploadSignature } from '../../schemas/index.js'
import { lastExchange } from '../helper.js'
import { dialects } from '../http/dialects.js'
import { malformed } from '../http/malformed.js'
import { shownForm } from '../http/reading.js'
import { bodyOf, whole } from '../http/sent.js'
import { listening } from '../wire.js'
import { forwarding, inFront, jsonAnswer, rawProvider } from './provider.js'

const all = [
  ...Object.entries(dialects).map(([name, [chunks]]) => [name, chunks] as const),
  ...Object.entries(malformed).map(([name, make]) => [name, make(uploadSignature)[0]] as const),
]

t.test('every dialect passes byte for byte, and is judged as by the mock', async (t) => {
  const { url, requests } = await rawProvider(t, jsonAnswer(sampleBody(uploadSignature, 200)))
  const front = await inFront(t, url)
  const mock = await listening(t)
  for (const [name, chunks] of all) {
    await mock.exchange(chunks)
    const answer = await front.exchange(chunks)
    t.equal(answer.status, 200, `${name}: the provider answers`)
    const sent = whole(chunks)
    const got = requests.at(-1) as Buffer
    t.ok(bodyOf(got).equals(bodyOf(sent)), `${name}: its body is the same`)
    const [ours, theirs] = [lastExchange(front.server), lastExchange(mock.server)]
    t.same(ours.violations, theirs.violations, `${name}: so is what is wrong with it`)
    t.same(shownForm(ours.form), shownForm(theirs.form), `${name}: and what the journal shows`)
  }
})

t.test('a form of many megabytes is judged as it passes', async (t) => {
  const { url, server } = await forwarding(t, jsonAnswer(sampleBody(uploadSignature, 200)))
  const sent = async (fields: Record<string, string | Blob>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    const path = `${url}/client/signature?user_type=ENTERPRISE_API`
    const response = await fetch(path, { method: 'POST', body, headers: { authorization: 'Bearer whoever' } })
    await response.text()
    return lastExchange(server)
  }
  const large = new File(
    [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(3 * 1024 * 1024, 'x')],
    'large.png',
    { type: 'image/png' },
  )
  const good = await sent({ source: 'drawn', file: large })
  t.same(good.violations, [], 'nothing is wrong')
  t.match(good.form, { source: 'drawn', file: { filename: 'large.png', size: large.size, sha256: /^[\da-f]{64}$/ } })
  t.match((await sent({ file: large, souce: 'undefined' })).violations, [
    { code: 'misnamed-field' },
    { code: 'placeholder-value' },
  ])
  const text = `data:image/png;base64,${'A'.repeat(2_000_000)}`
  t.match((await sent({ file: new File([text], 'a.png') })).violations, [{ code: 'file-as-text' }])
})
