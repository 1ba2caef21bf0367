import type { TSchema } from '@sinclair/typebox'
import type { Cites } from '../../../schemas/cites.js'
import { exampleOf } from '../../../schemas/common.js'
import { type FilePart, filePart } from '../calls.js'
import type { Answer } from '../client.js'
import { valueText } from '../interpretations/words.js'
import { member, type Operation } from '../session.js'
import type { Check } from './check.js'

type Form = Readonly<Record<string, string | FilePart | undefined>>
export type Way = 'code' | 'file' | 'both'

/** The document that is known, by its code, its file or both. */
export function formOf({ session: { values }, contract }: Operation, way: Way): Form {
  const { code, file } = values.given(contract).form ?? {}
  const schemaOf = (name: string) => contract.form?.properties[name] as TSchema
  return {
    code: way === 'file' ? undefined : String(code ?? exampleOf(schemaOf('code'))),
    file: way === 'code' ? undefined : filePart(schemaOf('file'), file === undefined ? undefined : String(file)),
  }
}

/** Whether a way is known: of a document that the user named by one way, the other is not. */
export function isNamed({ session: { values }, contract }: Operation, way: Way): boolean {
  const { form } = values.given(contract)
  if (form === undefined) return true
  return way === 'both' ? form.code !== undefined && form.file !== undefined : form[way] !== undefined
}

const verified = (way: Way, call: string, cites: Cites): Check => ({
  cites: [...cites, 'S3.5', 'S3.7'],
  async run(on) {
    if (!isNamed(on, way))
      return on.unchecked(this.cites, `--data names no ${way === 'both' ? 'code with its file' : way} for it.`)
    const answer = await on.send({ form: formOf(on, way) })
    if (!on.expect(answer, { cites, call, needsData: true })) return
    const status = member(answer.body, 'status')
    if (typeof status === 'string') {
      const message = `The status of a success must be 'verified', not ${valueText(status)}.`
      on.claim(status === 'verified', { cites: ['S3.7'], where: 'status', message })
    }
    compareEcho(on, answer, 'user_uuid', ['S3.5', 'S3.6'])
    if (way !== 'file') compareEcho(on, answer, 'code', ['S3.3', 'S3.6'])
  },
})

function compareEcho(on: Operation, { call: { form }, body }: Answer, name: string, cites: Cites): void {
  const answered = member(body, 'document', name)
  if (typeof answered !== 'string') return
  const message = `A call with one '${name}' is answered with another one.`
  on.claim(answered.toLowerCase() === String(form?.[name]).toLowerCase(), { cites, where: `document.${name}`, message })
}

const pdf = (content: string): FilePart => ({
  content: new TextEncoder().encode(content),
  name: 'countersign.pdf',
  mediaType: 'application/pdf',
})

/** A PDF without a page; the marker is always of the same length. */
const newPdf = (marker: string) =>
  pdf(`%PDF-1.4
% ${marker}
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [] /Count 0 >>
endobj
xref
0 3
0000000000 65535 f 
0000000031 00000 n 
0000000080 00000 n 
trailer
<< /Size 3 /Root 1 0 R >>
startxref
132
%%EOF
`)

/** A document that is not verified; other statuses may be given for causes that are not shown (I-08). */
const refused = (
  call: string,
  status: number,
  others: readonly number[],
  cites: Cites,
  form: (on: Operation) => Form | undefined,
): Check => ({
  cites,
  async run(on) {
    const sent = form(on)
    if (sent === undefined) return on.unchecked(cites, '--data names no code for it.')
    const answer = await on.send({ form: { code: undefined, file: undefined, ...sent } })
    const otherwise = (other: number) => (others.includes(other) ? ('I-08' as const) : undefined)
    if (!on.expect(answer, { status, cites, call, otherwise }) || answer.status === status) return
    const message = `${call} is answered with ${answer.status}: the document does not show the causes (I-08).`
    on.unchecked(cites, message)
  },
})

export const verifyDocument: readonly Check[] = [
  verified('code', 'A call with a code', ['S3.3', 'S3.4']),
  verified('file', 'A call with a file', ['S3.2', 'S3.4']),
  verified('both', 'A call with a code and its file', ['S3.4']),
  refused('A call with an unknown code', 404, [422], ['SE.3'], ({ session }) => ({ code: session.values.nonsense })),
  refused('A call with a PDF that was never uploaded', 404, [422], ['SE.3', 'S3.2'], ({ session }) => ({
    file: newPdf(session.values.nonsense),
  })),
  refused('A call with a text file', 400, [404, 422], ['SE.1', 'S3.2'], () => ({ file: pdf('This is no PDF.') })),
  refused('A call with a damaged PDF', 422, [400, 404], ['SE.5'], () => ({
    file: pdf('%PDF-1.4\n1 0 obj\n<< /Type /Catalog'),
  })),
  refused('A call with a code and the file of another document', 422, [400, 404], ['SE.5'], (on) =>
    isNamed(on, 'code') ? { ...formOf(on, 'code'), file: newPdf(on.session.values.nonsense) } : undefined,
  ),
]
