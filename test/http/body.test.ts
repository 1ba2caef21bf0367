import { randomFillSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import type { Form, UploadedFile } from '../../schemas/common.js'
import type { Operation } from '../../src/operations/handler.js'
import { operations as documented } from '../../src/operations/index.js'
import { sha256 } from '../../src/text/digest.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { formOf, UPLOAD } from '../by-hand.js'
import { fetched, lastExchange } from '../helper.js'
import { listening } from '../wire.js'
import { bytes, end, FILE, PNG, part, raw } from './forms.js'

/** A picture with bytes after its end that take several reads. */
const picture = bytes(PNG, randomFillSync(Buffer.alloc(300_000)))
const form = bytes(part([FILE, 'Content-Type: image/png'], picture), end())

/** Sizes of the pieces that a body is cut into, over and over; one piece is all that is left. */
const cuts: Readonly<Record<string, readonly number[]>> = {
  'in one piece': [Number.POSITIVE_INFINITY],
  'with a first piece of one byte': [1, Number.POSITIVE_INFINITY],
  'with a last piece of one byte': [form.length - 1, 1],
  'at odd places': [1, 2, 3, 699, 65_535, 65_537, 4_097],
  'in pieces of a read': [65_536],
}

function* piecesOf(body: Buffer, sizes: readonly number[]) {
  for (let nth = 0, at = 0; at < body.length; nth++) {
    const size = sizes[nth % sizes.length] as number
    yield body.subarray(at, at + size)
    at += size
  }
}

t.test('a body is taken whole, however it is cut on its way', async (t) => {
  const { server, exchange } = await listening(t)
  for (const chunked of [false, true]) {
    const [head, body] = raw(form, { chunked })
    for (const [how, sizes] of Object.entries(cuts)) {
      for (const first of ['with its head', 'after its head']) {
        const [start, ...rest] = piecesOf(body, sizes)
        const beginning = first === 'with its head' ? [bytes(head, start as Buffer)] : [head, start as Buffer]
        const { status } = await exchange([...beginning, ...rest])
        const { body: read } = entryOf(lastExchange(server)).request
        const whole = { file: { size: picture.length, sha256: sha256(picture) } }
        t.match([status, read], [200, whole], `${chunked ? 'chunked' : 'with a length'}, ${how}, ${first}`)
      }
    }
  }
})

t.test('bodies that arrive together stay apart, whatever becomes of the others', async (t) => {
  const seen = { whole: 0, mixed: 0 }
  const slow = documented.map((operation): Operation => {
    if (operation.contract.id !== 'uploadSignature') return operation
    const handler: Operation['handler'] = async (call, reply) => {
      const { content, sha256: expected } = (call.form as Form).file as UploadedFile
      await sleep(20)
      seen[sha256(content) === expected ? 'whole' : 'mixed']++
      return operation.handler(call, reply)
    }
    return { ...operation, handler }
  })
  const { server, url } = await listening(t, {}, { operations: slow })
  // From pieces that are joined to such that find a buffer, and beyond.
  const sizes = [70_000, 300_000, 1_100_000, 2_500_000]
  const pictures = Array.from({ length: 24 }, (_, nth) =>
    bytes(PNG, randomFillSync(Buffer.alloc((sizes[nth % sizes.length] as number) + nth))),
  )
  /** What a client asks for besides: answers that come late, come from elsewhere, or not at all. */
  const preferences = ['', 'delay=40', 'code=422', 'fault=reset', 'scenario=no-such', '']
  const upload = async (picture: Buffer, nth: number) => {
    const body = formOf({ file: new File([picture], `${nth}.png`, { type: 'image/png' }) })
    const prefer = preferences[nth % preferences.length] as string
    const headers = { authorization: 'Bearer token-admin', ...(prefer !== '' && { prefer }) }
    const signal = nth % 7 === 3 ? AbortSignal.timeout(nth) : undefined
    await fetched(url + UPLOAD, { method: 'POST', headers, body, signal })
  }
  const inTurns = async (picture: Buffer, nth: number) => {
    for (let turn = 0; turn < 3; turn++) await upload(picture, nth).catch(() => undefined)
  }
  await Promise.all(pictures.map(inTurns))
  const exchanges = server.worlds.root.journal.exchanges()
  const files = exchanges.flatMap(({ form }) => (form?.file === undefined ? [] : [form.file as UploadedFile]))
  t.ok(files.length > 30, 'most of them were read', { files: files.length })
  for (const { filename, sha256: found } of files)
    t.equal(found, sha256(pictures[Number.parseInt(filename, 10)] as Buffer), `${filename} has the bytes sent`)
  t.match(seen, { whole: /../, mixed: 0 }, 'it has them until it is answered', seen)
})
