import type { verifyDocument as contract } from '../../../schemas/verify-document.js'
import type { UploadedFile } from '../../engine/contract/fields.js'
import type { DeclaredReply, HandlerCall, Handling, Reply } from '../../engine/operation.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import { inspectPdf, isPdf } from '../pdf.js'
import type { RecordOf } from '../records.js'

type Document = RecordOf<'documents'>
type VerifyReply = DeclaredReply<typeof contract>

export const verifyDocument: Handling<typeof contract> = {
  inspect: (form, reply) => {
    const invalid = invalidForm(form, reply)
    return invalid === undefined ? { found: undefined } : { invalid }
  },
  handle: ({ form, sandbox, switches }, reply) => {
    const { file, code, user_uuid } = form
    const owned = (document: Document | undefined) => document?.user_uuid.toLowerCase() === user_uuid.toLowerCase()
    const visible = (document: Document | undefined) => switches.verifyScope === 'anyone' || owned(document)
    const documents = sandbox.state.collection('documents')
    const coded = code === undefined ? undefined : documents.get(code)
    const byCode = visible(coded) ? coded : undefined
    if (code !== undefined && byCode === undefined) return reply(404, `${noDocument(coded)} has the code '${code}'.`)

    const sameBytes = file === undefined ? [] : documents.lookUp(file.sha256)
    const withBytes = sameBytes.filter(visible)
    // Several users may have the same file: prefer the one that the code names, then the user's own.
    const byFile = withBytes.find((one) => one === byCode) ?? withBytes.find(owned) ?? withBytes[0]
    if (file !== undefined && byFile === undefined) {
      return unverifiableFile(file, sandbox, reply) ?? unknownFile(byCode, sameBytes[0], reply)
    }
    if (byCode !== undefined && byFile !== undefined && byCode !== byFile) return reply(422, disagree(byCode))

    const document = (byFile ?? byCode) as Document
    if (document.status !== 'verified') {
      return reply(422, `The document '${document.code}' could not be verified: its status is '${document.status}'.`)
    }
    return reply(200, {
      status: 'verified',
      document: {
        code: document.code,
        user_uuid: document.user_uuid,
        verified_at: sandbox.timestamp(sandbox.clock.iso()),
      },
      message: 'Document verified successfully.',
    })
  },
  examples: ({ state, firstUser }) => {
    const documents = state.collection('documents').all()
    const found = documents.find((one) => one.status === 'verified' && one.user_uuid === firstUser?.uuid)
    return { code: found?.code, user_uuid: firstUser?.uuid }
  },
}

function invalidForm(
  { file, code }: HandlerCall<typeof contract>['form'],
  reply: Reply<typeof contract>,
): VerifyReply | undefined {
  if (file === undefined && code === undefined) {
    return reply(400, "Neither 'file' nor 'code' was sent: send at least one of these form fields.", {
      code: 'missing-parameter',
      where: 'form',
      fix: "-F 'code=CODE'",
      cites: ['S3.4'],
    })
  }
  if (file === undefined || isPdf(file.content)) return undefined
  return reply(400, `The form field 'file' ('${file.filename}') is not a PDF: its content does not begin with %PDF-.`, {
    code: 'not-a-pdf',
    where: 'form.file',
    fix: "-F 'file=@FILE;type=application/pdf'",
    cites: ['S3.2'],
  })
}

function unverifiableFile(
  file: UploadedFile,
  sandbox: Sandbox,
  reply: Reply<typeof contract>,
): VerifyReply | undefined {
  const pdf = inspectPdf(file.content)
  if (pdf.kind !== 'readable') {
    return reply(422, `The document could not be verified: the PDF '${file.filename}' is ${pdf.kind}.`)
  }
  const { documentCode = '' } = pdf
  const original = sandbox.state.collection('documents').get(documentCode)
  // Its bytes may be a document that only another user has.
  if (original === undefined || original.sha256 === file.sha256) return undefined
  return reply(
    422,
    `The document could not be verified: the PDF '${file.filename}' claims to be '${documentCode}', but its bytes are not those of that document.`,
  )
}

function unknownFile(
  byCode: Document | undefined,
  other: Document | undefined,
  reply: Reply<typeof contract>,
): VerifyReply {
  return byCode === undefined
    ? reply(404, `${noDocument(other)} has this file's fingerprint.`)
    : reply(422, disagree(byCode))
}

function noDocument(other: Document | undefined): string {
  return other === undefined ? 'No document' : 'No document of this user'
}

function disagree({ code }: Document): string {
  return `The document could not be verified: the file is not the document '${code}'.`
}
