import { createHash } from 'node:crypto'
import t from 'tap'
import type { UploadedFile } from '../../schemas/common.js'
import { lastExchange } from '../helper.js'
import { listening } from '../wire.js'
import { dialects } from './dialects.js'
import { PNG } from './forms.js'

const PNG_SHA256 = createHash('sha256').update(PNG).digest('hex')

t.test('every dialect of multipart/form-data is understood', async (t) => {
  const { server, exchange } = await listening(t)
  for (const [dialect, [chunks, filename = 's.png']] of Object.entries(dialects)) {
    const answer = await exchange(chunks)
    t.equal(answer.status, 200, `${dialect}: the answer is 200`, { body: answer.body })
    const { form, violations } = lastExchange(server)
    const { file, source } = form as { readonly file: UploadedFile; readonly source: string }
    const seen = { filename: file.filename, sha256: file.sha256, source }
    t.same(seen, { filename, sha256: PNG_SHA256, source: 'drawn ø' }, `${dialect}: the file and the text arrive intact`)
    const suspicions = filename === '' ? ['nameless-file'] : []
    t.same(
      violations.map(({ code }) => code),
      suspicions,
      `${dialect}: no violation is recorded, but of a file without a name`,
    )
    t.same(
      answer.interim,
      dialect.startsWith('Expect') ? [100] : [],
      `${dialect}: 100 Continue is sent only on request`,
    )
  }
})
