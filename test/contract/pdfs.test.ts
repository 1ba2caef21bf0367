import t from 'tap'
import { verifyDocument } from '../../schemas/verify-document.js'
import { build, fileOf, send } from '../helper.js'

const pdfs: Readonly<Record<string, readonly [content: string, status: number]>> = {
  'version 2.0': ['%PDF-2.0\nstartxref\n9\n%%EOF\n', 404],
  'with padding after its end': [`%PDF-1.7\nstartxref\n9\n%%EOF\n${'\0'.repeat(5_000)}`, 404],
  'with /Encrypt null': ['%PDF-1.7\ntrailer << /Encrypt null >>\nstartxref\n9\n%%EOF\n', 404],
  'without an end mark': ['%PDF-1.7\nstartxref\n9\n', 404],
  'without a startxref': ['%PDF-1.7\n%%EOF\n', 404],
  'with its header at the end of the first 1,024 bytes': [`${' '.repeat(1_019)}%PDF-1.4\n%%EOF\n`, 404],
  'with its header after them': [`${' '.repeat(1_020)}%PDF-1.4\n%%EOF\n`, 400],
  'cut off': ['%PDF-1.7\n1 0 obj\n<< /Type /Catalog', 422],
}

t.test('a PDF is recognised by its header, and is damaged without its end markers', async (t) => {
  const server = await build(t)
  for (const [label, [content, status]] of Object.entries(pdfs)) {
    const file = fileOf(content, 'a.pdf', 'application/pdf')
    const { statusCode } = await send(server, verifyDocument, { form: { file, code: undefined } })
    t.equal(statusCode, status, label)
  }
})
