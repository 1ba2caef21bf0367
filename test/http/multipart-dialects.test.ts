import t from 'tap'
import type { UploadedFile } from '../../schemas/common.js'
import { sha256 } from '../../src/text/digest.js'
import { lastExchange } from '../helper.js'
import { listening } from '../wire.js'
import { dialects } from './dialects.js'
import { PNG } from './forms.js'

t.test('every dialect of multipart/form-data is understood', async (t) => {
  const { server, exchange } = await listening(t)
  for (const [dialect, [chunks, filename = 's.png']] of Object.entries(dialects)) {
    const { status, body, interim } = await exchange(chunks)
    t.equal(status, 200, `${dialect}: it is accepted`, { body })
    const { form, violations } = lastExchange(server)
    const { file, source } = form as { readonly file: UploadedFile; readonly source: string }
    const seen = { filename: file.filename, sha256: file.sha256, source }
    t.same(seen, { filename, sha256: sha256(PNG), source: 'drawn ø' }, `${dialect}: file and text arrive intact`)
    const codes = violations.map(({ code }) => code)
    t.same(codes, filename === '' ? ['nameless-file'] : [], `${dialect}: but a file's name may miss`)
    t.same(interim, dialect.startsWith('Expect') ? [100] : [], `${dialect}: 100 Continue is sent only on request`)
  }
})
