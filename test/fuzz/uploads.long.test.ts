import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import { uploadSignature, verifyDocument } from '../../schemas/index.js'
import { build, fileOf, fixtureFile, requestOf } from '../helper.js'
import { holds } from '../property.js'
import { type Change, changed, changesWith } from './bytes.js'
import { checkAlive, checkAnswer, checkEntry, inTime } from './oracle.js'

const FILES = readdirSync(new URL('../../fixtures/files/', import.meta.url))

const [PDFS, IMAGES] = [true, false].map((isPdf) => FILES.filter((name) => name.endsWith('.pdf') === isPdf))
const PDF_WORDS =
  'obj endobj stream endstream xref trailer startxref %%EOF %PDF-1.7 << >> [ ] /Type /Catalog /Pages /Kids /Count /Root /Info /Encrypt /Filter /FlateDecode /ASCIIHexDecode /Length /Prev /Size /XRef /ObjStm /N /First /DocumentCode (x) <00> 0 1 -1 65535 4294967296 99999999999999999999 1.5 R f n null true \n \u0000'.split(
    ' ',
  )
const IMAGE_WORDS =
  '<svg </svg> <svg/> <?xml ?> <!-- --> <!DOCTYPE [ ] <!ENTITY > < \ufeff GIF87a GIF89a RIFF WEBP \u0089PNG \u00ff\u00d8\u00ff IHDR IDAT \n \u0000'.split(
    ' ',
  )

/** A file of the fixtures after changes, which may take a piece of another one in. */
function filesLike(names: readonly string[], words: readonly string[]) {
  return fc.record({
    name: fc.constantFrom(...names),
    tail: fc.option(fc.constantFrom(...names), { freq: 4, nil: undefined }),
    changes: changesWith(words, 4),
  })
}

function contentOf({ name, tail, changes }: { name: string; tail?: string; changes: Change[] }): Buffer {
  const whole = fixtureFile(name).content
  const content = tail === undefined ? whole : Buffer.concat([whole, fixtureFile(tail).content])
  return changed(content, changes)
}

/** Each kind of upload: the operation, the files that are mangled, and what it may answer. */
const uploads = {
  'a PDF': {
    contract: verifyDocument,
    files: filesLike(PDFS!, PDF_WORDS),
    form: { code: undefined },
    statuses: [200, 400, 404, 422],
    numRuns: 100,
  },
  'an image': {
    contract: uploadSignature,
    files: filesLike(IMAGES!, IMAGE_WORDS),
    form: {},
    statuses: [200, 422],
    numRuns: 200,
  },
} as const

for (const [what, { contract, files, form, statuses, numRuns }] of Object.entries(uploads)) {
  t.test(`${what}, however damaged, is answered as documented`, async (t) => {
    const server = await build(t)
    const check = async (given: { name: string; tail?: string; changes: Change[] }) => {
      const content = contentOf(given)
      const request = requestOf(contract, { form: { ...form, file: fileOf(content, given.name) } })
      const { statusCode: status, headers, body } = await inTime('the answer', server.app.inject(request))
      checkAnswer(contract, { status, headers, body })
      checkEntry(server.worlds.root, { status, headers, body })
      if (!(statuses as readonly number[]).includes(status)) throw new Error(`answered with ${status}: ${body}`)
    }
    await holds(t, 'any file', fc.asyncProperty(files, check), { numRuns, seed: 20_261 })
    await checkAlive(server)
  })
}
