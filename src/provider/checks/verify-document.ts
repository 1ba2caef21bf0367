import type { TSchema } from '@sinclair/typebox'
import type { Cites } from '../../../schemas/cites.js'
import { exampleOf } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import { successStatusOf } from '../../../schemas/contract.js'
import type { InterpretationId } from '../../../schemas/interpretations.js'
import type { FilePart, Request } from '../calls/call.js'
import { withoutField } from '../calls/call.js'
import type { Answer } from '../calls/send.js'
import { filePart } from '../calls/values.js'
import { valueText } from '../shape.js'
import type { Check, OperationChecks } from './check.js'
import { judge } from './judge.js'
import { isUnknownData, notThere } from './known-data.js'
import { member, type Session, sendRequest } from './session.js'

/** The ways to say which document is meant, as the user or the examples have it. */
export function waysOf({ values }: Session, contract: Contract): Readonly<Record<'code' | 'file' | 'both', Request>> {
  const complete = values.complete(contract)
  const { code, file } = values.given(contract).form ?? {}
  const schemaOf = (name: string) => contract.form?.properties[name] as TSchema
  const form = {
    ...complete.form,
    code: String(code ?? exampleOf(schemaOf('code'))),
    file: filePart(schemaOf('file'), file === undefined ? undefined : String(file)),
  }
  const both = { ...complete, form }
  return { both, code: withoutField(both, 'file'), file: withoutField(both, 'code') }
}

/** What the user named is what exists there; of a document named by one way alone, the other is unknown. */
export function isNamed({ values }: Session, contract: Contract, way: 'code' | 'file' | 'both'): boolean {
  const given = values.given(contract).form
  if (given === undefined) return true
  return way === 'both' ? given.code !== undefined && given.file !== undefined : given[way] !== undefined
}

const WAYS: readonly { readonly way: 'code' | 'file' | 'both'; readonly cites: Cites; readonly call: string }[] = [
  { way: 'code', cites: ['S3.3', 'S3.4'], call: 'A call with a code' },
  { way: 'file', cites: ['S3.2', 'S3.4'], call: 'A call with a file' },
  { way: 'both', cites: ['S3.4'], call: 'A call with a code and its file' },
]

/** A document that is there: verified, and told with what was sent. */
const verified: readonly Check[] = WAYS.map(({ way, cites, call }) => ({
  cites: [...cites, 'S3.5', 'S3.7'],
  run: async (session, contract) => {
    const all: Cites = [...cites, 'S3.5', 'S3.7']
    if (!isNamed(session, contract, way)) {
      const message = `--data names no ${way === 'both' ? 'code with its file' : way} for it.`
      return session.findings.unchecked(all, contract.id, message)
    }
    const request = waysOf(session, contract)[way]
    const answer = await sendRequest(session, contract, request)
    if (isUnknownData(session, answer)) return notThere(session, answer, all)
    if (!judge(session, answer, { status: successStatusOf(contract), cites, call })) return
    const status = member(answer.body, 'status')
    if (status === 'verified') session.findings.holds(['S3.7'], contract.id)
    else if (typeof status === 'string')
      session.findings.drifts({
        cites: ['S3.7'],
        operation: contract.id,
        where: 'status',
        message: `The status of a success must be 'verified', not ${valueText(status)}.`,
      })
    echoes(session, answer, 'user_uuid', ['S3.5', 'S3.6'])
    if (way !== 'file') echoes(session, answer, 'code', ['S3.3', 'S3.6'])
  },
}))

/** What was asked about is what is answered. */
function echoes(session: Session, { call: { contract, form }, body }: Answer, name: string, cites: Cites): void {
  const [sent, answered] = [form?.[name], member(body, 'document', name)]
  if (typeof answered !== 'string') return
  if (answered.toLowerCase() === String(sent).toLowerCase()) session.findings.holds(cites, contract.id)
  else
    session.findings.drifts({
      cites,
      operation: contract.id,
      where: `document.${name}`,
      message: `A call with one '${name}' is answered with another one.`,
    })
}

/** A PDF without a page that nobody has seen before. */
function newPdf(marker: string): FilePart {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>']
  let text = `%PDF-1.4\n% ${marker}\n`
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = text.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  text += `xref\n0 3\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size 3 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return { content: new TextEncoder().encode(text), name: 'countersign.pdf', mediaType: 'application/pdf' }
}

const text = (content: string): FilePart => ({
  content: new TextEncoder().encode(content),
  name: 'countersign.pdf',
  mediaType: 'application/pdf',
})

interface Refused {
  readonly call: string
  readonly status: number
  readonly cites: Cites
  /** What is sent for the document. */
  readonly form: (session: Session, known: string) => Readonly<Record<string, string | FilePart>>
  /** Whether a document has to be known by its code. */
  readonly isKnownNeeded?: true
  /** Other statuses of which the causes are not shown (I-08). */
  readonly or: readonly number[]
}

/** Documents that are not there, and what is none. */
const REFUSED: readonly Refused[] = [
  {
    call: 'A call with an unknown code',
    status: 404,
    cites: ['SE.3'],
    form: ({ values }) => ({ code: values.nonsense }),
    or: [422],
  },
  {
    call: 'A call with a PDF that nobody has uploaded',
    status: 404,
    cites: ['SE.3', 'S3.2'],
    form: ({ values }) => ({ file: newPdf(values.nonsense) }),
    or: [422],
  },
  {
    call: 'A call with a text file',
    status: 400,
    cites: ['SE.1', 'S3.2'],
    form: () => ({ file: text('This is no PDF.') }),
    or: [404, 422],
  },
  {
    call: 'A call with a damaged PDF',
    status: 422,
    cites: ['SE.5'],
    form: () => ({ file: text('%PDF-1.4\n1 0 obj\n<< /Type /Catalog') }),
    or: [400, 404],
  },
  {
    call: 'A call with a code and the file of another document',
    status: 422,
    cites: ['SE.5'],
    isKnownNeeded: true,
    form: ({ values }, known) => ({ code: known, file: newPdf(values.nonsense) }),
    or: [400, 404],
  },
]

const refused: readonly Check[] = REFUSED.map(({ call, status, cites, form, or, isKnownNeeded }) => ({
  cites,
  run: async (session, contract) => {
    const { code } = waysOf(session, contract)
    if (isKnownNeeded && !isNamed(session, contract, 'code'))
      return session.findings.unchecked(cites, contract.id, '--data names no code for it.')
    const { code: known, ...others } = code.form ?? {}
    const request = { ...code, form: { ...others, ...form(session, String(known)) } }
    const answer = await sendRequest(session, contract, request)
    const otherwise = (other: number): InterpretationId | undefined => (or.includes(other) ? 'I-08' : undefined)
    if (judge(session, answer, { status, cites, call, otherwise }) && answer.status !== status) {
      // A refusal for another cause says nothing of what this one would get.
      session.findings.unchecked(
        cites,
        contract.id,
        `${call} is answered with ${answer.status}: the document does not show the causes (I-08).`,
      )
    }
  },
}))

/** What the document says of documents that are verified, and of those that are not. */
export const verifyDocument: OperationChecks = [...verified, ...refused]
