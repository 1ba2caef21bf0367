import t from 'tap'
import { sampleBody } from '../../schemas/bodies.js'
import { uploadSignature } from '../../schemas/index.js'
import { formIn } from '../../src/http/api/form.js'
import { FormStream } from '../../src/http/api/forward/form-stream.js'
import { BOUNDARY, lastExchange } from '../helper.js'
import { dialects } from '../http/dialects.js'
import { bytes, end, file, form, part, text } from '../http/forms.js'
import { malformed } from '../http/malformed.js'
import { judged, shownForm } from '../http/reading.js'
import { bodyOf, sentIn, whole } from '../http/sent.js'
import { listening } from '../wire.js'
import { inFront, jsonAnswer, rawProvider } from './provider.js'

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

t.test('a form that streams by is read to the same as a whole one, wherever it is cut', async (t) => {
  const type = `multipart/form-data; boundary=${BOUNDARY}`
  const like = Buffer.from(`\r\n--${BOUNDARY.slice(0, -1)}\r\n\r\n--${BOUNDARY} x\r\n--${BOUNDARY}-\r\n`)
  const bodies: [string, Buffer, string][] = [
    ...all.map(([name, chunks]) => {
      const { type, body } = sentIn(chunks)
      return [name, body, type] as [string, Buffer, string]
    }),
    [
      'what looks like a delimiter',
      bytes(file(), part(['Content-Disposition: form-data; name="a"'], like), end()),
      type,
    ],
    ['parts of nothing', bytes(`--${BOUNDARY}\r\n--${BOUNDARY}\r\n`, text(), `--${BOUNDARY}\r\n\r\n`, end()), type],
    [
      'a text as a file',
      bytes(part(['Content-Disposition: form-data; name="file"; filename="a"'], 'data:image/png;base64,AAAA'), end()),
      type,
    ],
  ]
  for (const [name, body, given] of bodies) {
    const expected = judged(() => formIn(body, given, uploadSignature))
    for (const size of [1, 2, 7, 61, 1_000, body.length || 1]) {
      const got = judged(() => {
        const stream = new FormStream(given, uploadSignature)
        for (let at = 0; at < body.length; at += size) stream.push(body.subarray(at, at + size))
        return stream.end()
      })
      t.same(got, expected, `${name}, in pieces of ${size}`)
    }
  }
})

t.test('a form of many megabytes is judged as it passes', async (t) => {
  const { url } = await rawProvider(t, jsonAnswer(sampleBody(uploadSignature, 200)))
  const { url: own, server } = await inFront(t, url)
  const sent = async (fields: Record<string, string | Blob>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    const path = `${own}/client/signature?user_type=ENTERPRISE_API`
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
  const long = await sent({ file: large, source: 'x'.repeat(1_100_000) })
  t.match(long.why, /body was not checked: its texts are too long/, 'what is not checked is said')
  t.match(long.violations, [])
  t.ok(form.length > 0)
})
