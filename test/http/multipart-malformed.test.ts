import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { uploadSignature } from '../../schemas/index.js'
import { BOUNDARY, lastExchange, requestOf } from '../helper.js'
import { type Chunks, listening } from '../wire.js'
import { bytes, CRLF, end, FILE, file, form, PNG, part, raw, TEXT, text } from './forms.js'
import { malformed, many } from './malformed.js'

const extra = (headers: readonly string[], content: string | Uint8Array = 'eA==') =>
  bytes(file(), part(headers, content), end())
const coded = (coding: string, body: Uint8Array = form) => [body, [`Content-Encoding: ${coding}`]] as const
const UNDECLARED = ['undeclared-part', 'body', /no header Content-Disposition: form-data/] as const

/** What was encoded, or is no field (I-24): the body and further headers; the violation's code, place and words. */
const encoded: Readonly<
  Record<string, readonly [Uint8Array | ReturnType<typeof coded>, code: string, where: string, RegExp]>
> = {
  'plain bytes as gzip': [coded('gzip'), 'encoded-body', 'body', /Content-Encoding 'gzip'/],
  'gzip as gzip': [coded('gzip', gzipSync(form)), 'encoded-body', 'body', /'gzip'/],
  'brotli, in capitals': [coded('BR'), 'encoded-body', 'body', /'BR'/],
  'two codings': [coded('identity, deflate'), 'encoded-body', 'body', /'identity, deflate'/],
  'a part in base64': [
    extra([TEXT, 'Content-Transfer-Encoding: base64']),
    'encoded-part',
    'form.source',
    /'source' has the Content-Transfer-Encoding 'base64'/,
  ],
  'a file in base64': [
    bytes(file([FILE, 'content-transfer-encoding: Base64']), end()),
    'encoded-part',
    'form.file',
    /'Base64'/,
  ],
  'a part in quoted-printable': [
    extra([TEXT, 'Content-Transfer-Encoding: quoted-printable']),
    'encoded-part',
    'form.source',
    /'quoted-printable'/,
  ],
  'a part in gzip': [
    extra([FILE, 'Content-Encoding: gzip'], gzipSync('x')),
    'encoded-part',
    'form.file',
    /Content-Encoding 'gzip'/,
  ],
  'a text that is not UTF-8': [
    extra([TEXT], Buffer.from('drawn ø', 'latin1')),
    'undecodable-text',
    'form.source',
    /'source' is not valid text in the charset 'utf-8'/,
  ],
  'a text cut within a character': [
    extra([TEXT], Buffer.from('ø').subarray(0, 1)),
    'undecodable-text',
    'form.source',
    /utf-8/,
  ],
  'JSON that is not UTF-8': [
    extra([TEXT, 'Content-Type: application/json'], Buffer.from('"ø"', 'latin1')),
    'undecodable-text',
    'form.source',
    /utf-8/,
  ],
  'a text that is not of its charset': [
    extra([TEXT, 'Content-Type: text/plain; charset=shift_jis'], Buffer.from([0xff])),
    'undecodable-text',
    'form.source',
    /'shift_jis'/,
  ],
  'an unknown charset': [
    extra([TEXT, 'Content-Type: text/plain; charset=klingon']),
    'undecodable-text',
    'form.source',
    /'klingon'/,
  ],
  'a part without Content-Disposition': [extra(['Content-Type: text/plain']), ...UNDECLARED],
  'a part without headers': [extra([]), ...UNDECLARED],
  'an attachment': [extra(['Content-Disposition: attachment; name="type"']), ...UNDECLARED],
  'a Content-Disposition that is none': [extra(['Content-Disposition: ;;=']), ...UNDECLARED],
  'a Content-Disposition with a bare line feed': [
    extra(['Content-Disposition: form-data;\n name="source"']),
    ...UNDECLARED,
  ],
  'headers that end in line feeds': [bytes(`--${BOUNDARY}${CRLF}${TEXT}\n\nx${CRLF}`, end()), ...UNDECLARED],
}

t.test('what is encoded is never taken for the data itself', async (t) => {
  const { server, exchange } = await listening(t)
  for (const contract of contracts.filter((one) => 'form' in one) as readonly Contract[]) {
    for (const [what, [sent, code, where, words]] of Object.entries(encoded)) {
      const [body, headers = []] = sent instanceof Uint8Array ? [sent] : sent
      const answer = await exchange(raw(body, { contract, headers }))
      const label = `${contract.id}, ${what}`
      t.match(
        [answer.status, JSON.parse(answer.body)],
        [contract.invalid, { error: { code: contract.invalid, message: words } }],
        `${label}: the answer is ${contract.invalid}, and its message names the fault`,
      )
      t.match(
        lastExchange(server),
        { violations: [{ code, message: words, where, fix: /.{10}/, basis: 'reading', cites: ['I-24'] }] },
        `${label}: the journal records ${code} with a fix and I-24`,
      )
    }
  }
})

for (const contract of contracts.filter((one) => 'form' in one) as readonly Contract[]) {
  t.test(
    `${contract.id} answers ${contract.invalid} to a malformed form, says how to fix it, and keeps serving`,
    async (t) => {
      const { server, exchange } = await listening(t)
      for (const [fault, sending] of Object.entries(malformed)) {
        const [chunks, code, words] = sending(contract)
        const answer = await exchange(chunks)
        t.equal(answer.status, contract.invalid, `${fault}: the answer is ${contract.invalid}`, { body: answer.body })
        t.match(
          JSON.parse(answer.body),
          { error: { code: contract.invalid, message: words } },
          `${fault}: the message names the fault`,
        )
        t.match(
          lastExchange(server),
          { status: contract.invalid, violations: [{ code, message: words, fix: /.{10}/ }] },
          `${fault}: the journal records ${code} with a fix`,
        )
      }
      t.equal((await exchange(raw(form))).status, 200, 'the server still answers')
    },
  )
}

t.test('a body without any parts is a form without fields', async (t) => {
  const { exchange } = await listening(t)
  const empty = {
    'an empty body': raw(''),
    'a closing boundary': raw(end()),
    'a part of nothing (.NET)': raw(bytes(`--${BOUNDARY}${CRLF}${CRLF}`, end())),
    'no Content-Type': raw('', { type: null }),
  }
  for (const [sent, chunks] of Object.entries(empty)) {
    const answer = await exchange(chunks)
    t.match(
      [answer.status, answer.body],
      [422, "The form field 'file' is missing: send a file."],
      `${sent}: only the file is missing`,
    )
  }
})

t.test('a refused body does not hold up the next request on its connection', async (t) => {
  const { converse } = await listening(t)
  const large = part([FILE], Buffer.alloc(3_000_000))
  const refused: Readonly<Record<string, Chunks>> = {
    'a nameless part first': raw(bytes(part(['Content-Disposition: form-data'], 'x'), large, end())),
    'a nameless file first': raw(bytes(part(['Content-Disposition: form-data; filename="x"'], 'x'), large, end())),
    'an empty name first': raw(bytes(part(['Content-Disposition: form-data; name=""'], 'x'), large, end())),
    'a long name first': raw(
      bytes(part([`Content-Disposition: form-data; name="${'n'.repeat(2_000)}"`], 'x'), large, end()),
    ),
    'a reserved name first': raw(bytes(part(['Content-Disposition: form-data; name="__proto__"'], 'x'), large, end())),
    'broken JSON first': raw(bytes(part([TEXT, 'Content-Type: application/json'], '{'), large, end())),
    'too many parts first': raw(bytes(...many, large, end())),
    'no last boundary': raw(large),
    'no boundary': raw(large, { type: 'multipart/form-data' }),
    'another type': raw(large, { type: 'text/plain' }),
    'an invalid Content-Type': raw(large, { type: ';;' }),
  }
  for (const [what, chunks] of Object.entries(refused)) {
    const answers = await converse([chunks, raw(form)])
    t.same(
      answers.map(({ status }) => status),
      [422, 200],
      `${what}: it is refused, and the next request is answered`,
    )
  }
  const unread = await converse([raw(bytes(large, end()), { token: 'nobody' }), raw(form)])
  t.same(
    unread.map(({ status }) => status),
    [401, 200],
    'a body that is never read: the 401 is sent, and the next request is answered',
  )
})

t.test('a body over the limit gets 413, however it is sent, and is never cut silently', async (t) => {
  const limit = 100_000
  const { url, server, exchange } = await listening(t, { bodyLimit: limit })
  const big = 'x'.repeat(3_000_000)
  const over: Readonly<Record<string, Chunks>> = {
    'a long text': raw(bytes(file(), text([TEXT], big), end())),
    'a long text, chunked': raw(bytes(file(), text([TEXT], big), end()), { chunked: true }),
    'a text just over, chunked': raw(bytes(file(), text([TEXT], 'x'.repeat(limit + 1)), end()), { chunked: true }),
    'a large file': raw(bytes(part([FILE], bytes(PNG, big)), end())),
    'a large file, chunked': raw(bytes(part([FILE], bytes(PNG, big)), end()), { chunked: true }),
    'many texts, chunked': raw(bytes(file(), ...many.slice(0, 900).map(() => text([TEXT], 'x'.repeat(200))), end()), {
      chunked: true,
    }),
    'a JSON body': raw(big, { type: 'application/json' }),
    'a JSON body, chunked': raw(big, { type: 'application/json', chunked: true }),
  }
  for (const [sent, chunks] of Object.entries(over)) {
    const answer = await exchange(chunks)
    t.equal(answer.status, 413, `${sent}: the answer is 413`)
    t.match(
      answer.headers,
      { 'x-mock-error': 'body-too-large', 'content-type': /^application\/problem\+json/ },
      `${sent}: the headers show a problem`,
    )
    t.match(
      JSON.parse(answer.body),
      { status: 413, limit, detail: '--body-limit' },
      `${sent}: the problem states the limit`,
    )
    t.match(lastExchange(server), { status: 413, outcome: null }, `${sent}: the journal records no outcome`)
    t.match(
      lastExchange(server).violations,
      [{ code: 'body-too-large', where: 'body', basis: 'reading', cites: ['I-16'], rule: /^I-16: / }],
      `${sent}: the violation says that the limit is ours`,
    )
  }
  const whole = limit - bytes(file(), text([TEXT], ''), end()).length
  t.equal(
    (await exchange(raw(bytes(file(), text([TEXT], 'x'.repeat(whole)), end())))).status,
    200,
    'a body of exactly the limit is accepted',
  )

  const data = new FormData()
  data.set('file', new Blob([big]), 'a.png')
  const response = await fetch(`${url}${requestOf(uploadSignature).url}`, {
    method: 'POST',
    headers: { authorization: 'Bearer token-admin' },
    body: data,
  })
  t.equal(response.status, 413, 'fetch receives the 413 too')
})

t.test('a 401 reaches the client while 20 MB of its body are unread', async (t) => {
  const { url, exchange } = await listening(t)
  const body = Buffer.alloc(20_000_000)
  const address = `${url}${requestOf(uploadSignature).url}`
  const type = `multipart/form-data; boundary=${BOUNDARY}`
  t.equal((await exchange(raw(body, { token: 'nobody' }))).status, 401, 'a raw socket receives it')
  t.equal(
    (await exchange(raw(body, { token: 'nobody' }).slice(0, 1))).status,
    401,
    'it is sent before any of the body arrives',
  )
  t.equal(
    (await fetch(address, { method: 'POST', headers: { 'content-type': type }, body })).status,
    401,
    'fetch receives it',
  )
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(address, { method: 'POST', headers: { 'content-type': type } }, (response) => {
      resolve(response.resume().statusCode)
    })
    request.on('error', reject).end(body)
  })
  t.equal(status, 401, 'node:http receives it')
})
