import type { TSchema } from '@sinclair/typebox'
import type { Cites } from '../../../schemas/cites.js'
import { exampleOf } from '../../../schemas/common.js'
import { type FilePart, filePart } from '../calls.js'
import { valueText } from '../interpretations/words.js'
import type { Answer } from '../sender.js'
import { isSuccess, member, type Operation } from '../session.js'
import { type Check, check } from './check.js'

type Form = Readonly<Record<string, string | FilePart | undefined>>
type Way = 'code' | 'file' | 'both'

/** The known document, by its code, its file or both; undefined where the user named it by another way. */
function formOf({ session: { values }, contract }: Operation, way: Way): Form | undefined {
  const { form } = values.given(contract)
  const ways = way === 'both' ? (['code', 'file'] as const) : [way]
  if (form !== undefined && ways.some((name) => form[name] === undefined)) return undefined
  const schemaOf = (name: string) => contract.form?.properties[name] as TSchema
  return {
    code: way === 'file' ? undefined : (form?.code ?? exampleOf(schemaOf('code'))),
    file: way === 'code' ? undefined : filePart(schemaOf('file'), form?.file),
  }
}

const verified = (way: Way, call: string, cites: Cites): Check =>
  check([...cites, 'S3.5', 'S3.7'], async (on, all) => {
    const form = formOf(on, way)
    if (form === undefined)
      return on.unchecked(all, `--data names no ${way === 'both' ? 'code with its file' : way} for it.`)
    const answer = await on.send({ form })
    if (!on.expect(answer, call, cites, { needsData: true })) return
    const status = member(answer.body, 'status')
    const message = `The status of a success must be 'verified', not ${valueText(status)}.`
    if (typeof status === 'string') on.claim(status === 'verified', ['S3.7'], 'status', message)
    compareEcho(on, answer, 'user_uuid', ['S3.5', 'S3.6'])
    if (way !== 'file') compareEcho(on, answer, 'code', ['S3.3', 'S3.6'])
  })

function compareEcho(on: Operation, { call: { form }, body }: Answer, name: string, cites: Cites): void {
  const answered = member(body, 'document', name)
  if (typeof answered !== 'string') return
  const isSame = answered.toLowerCase() === String(form?.[name]).toLowerCase()
  on.claim(isSame, cites, `document.${name}`, `A call with one '${name}' is answered with another one.`)
}

function pdf(text: string): { readonly file: FilePart } {
  return { file: { content: new TextEncoder().encode(text), name: 'countersign.pdf', mediaType: 'application/pdf' } }
}

/** A PDF without a page; the word in it is always of the same length. */
const newPdf = ({ session }: Operation) =>
  pdf(`%PDF-1.4
% ${session.values.nonsense}
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
xref
0 3
0000000000 65535 f 
0000000031 00000 n 
0000000074 00000 n 
trailer<</Size 3/Root 1 0 R>>
startxref
118
%%EOF
`)

/** A document that is not verified; causes are not shown, so that other statuses differ from I-08 alone. */
const refused = (
  call: string,
  [status, ...others]: readonly [number, ...number[]],
  cites: Cites,
  form: FormOf,
): Check =>
  check(cites, async (on) => {
    const answer = await on.send({ form: { code: undefined, file: undefined, ...form(on) } })
    if (!on.expect(answer, call, cites, { status, otherwise: { 'I-08': others } }) || answer.status === status) return
    on.unchecked(cites, `${call} is answered with ${answer.status}: the document does not show the causes (I-08).`)
  })

type FormOf = (on: Operation) => Form | undefined

export const verifyDocument: readonly Check[] = [
  verified('code', 'A call with a code', ['S3.3', 'S3.4']),
  verified('file', 'A call with a file', ['S3.2', 'S3.4']),
  verified('both', 'A call with a code and its file', ['S3.4']),
  refused('A call with an unknown code', [404, 422], ['SE.3'], (on) => ({ code: on.session.values.nonsense })),
  refused('A call with a PDF that was never uploaded', [404, 422], ['SE.3', 'S3.2'], newPdf),
  refused('A call with a text file', [400, 404, 422], ['SE.1', 'S3.2'], () => pdf('This is no PDF.')),
  refused('A call with a damaged PDF', [422, 400, 404], ['SE.5'], () => pdf('%PDF-1.4\n1 0 obj\n<< /Type /Catalog')),
  refused('A call with a code and the file of another document', [422, 400, 404], ['SE.5'], (on) => ({
    ...(formOf(on, 'code') ?? { code: on.session.values.nonsense }),
    ...newPdf(on),
  })),
  check(['I-08'], async (on, cites) => {
    const form = formOf(on, 'code') ?? formOf(on, 'file')
    if (form === undefined || !isSuccess(await on.send({ form }))) return on.unchecked(cites, 'No document is known.')
    const user_uuid = on.session.values.unknownLike(String(on.complete.form?.user_uuid ?? ''))
    const answer = await on.send({ form: { ...form, user_uuid } })
    on.sees('verifyScope', answer, isSuccess(answer) ? 'anyone' : answer.status === 404 ? 'owner' : undefined)
  }),
]
