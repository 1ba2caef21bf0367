import type { verifyDocument as contract } from '../../../schemas/verify-document.js'
import type { Handler } from '../handler-type.js'
import { type Document, documents, firstUserOf } from '../records.js'

export const verifyDocument: Handler<typeof contract> = {
  inspect: ({ file }, reply) => {
    if (file === undefined || file.content.subarray(0, HEADER_WINDOW).includes('%PDF-')) return { result: undefined }
    const name = file.filename === '' ? '' : ` ('${file.filename}')`
    const reason = file.content.length === 0 ? 'it is empty' : 'its first 1,024 bytes do not contain %PDF-'
    const message = `The form field 'file'${name} is not a PDF: ${reason}.`
    const fix = "Send a PDF in the form: -F 'file=@FILE;type=application/pdf'"
    return { invalid: reply(400, message, { code: 'not-a-pdf', where: 'form.file', fix, cites: ['S3.2'] }) }
  },
  handle: ({ form, sandbox }, reply) => {
    const { file, code, user_uuid } = form
    const isOfUser = (document: Document | undefined) => document?.user_uuid.toLowerCase() === user_uuid.toLowerCase()
    const all = sandbox.state.collection(documents)
    const documentWithCode = code === undefined ? undefined : all.get(code)
    const byCode = isOfUser(documentWithCode) ? documentWithCode : undefined
    if (code !== undefined && byCode === undefined)
      return reply(404, `${describeMissing(documentWithCode)} has the code '${code}'.`)

    const documentsWithFile = file === undefined ? [] : all.findBy('sha256', file.sha256)
    const ofUser = documentsWithFile.filter(isOfUser)
    // A user may have the same file twice: prefer the document with the code.
    const byFile = ofUser.find((document) => document === byCode) ?? ofUser[0]
    if (file !== undefined && byFile === undefined) {
      if (isDamaged(file.content))
        return reply(422, `The document could not be verified: the PDF '${file.filename}' is damaged.`)
      if (byCode !== undefined) return reply(422, describeDifference(byCode))
      return reply(404, `${describeMissing(documentsWithFile[0])} has the fingerprint of the file '${file.filename}'.`)
    }
    if (byCode !== undefined && byFile !== undefined && byCode !== byFile) return reply(422, describeDifference(byCode))

    const document = (byFile ?? byCode) as Document
    if (document.status !== 'verified')
      return reply(422, `The document '${document.code}' could not be verified: its status is '${document.status}'.`)
    return reply(200, {
      status: 'verified',
      document: { code: document.code, user_uuid: document.user_uuid, verified_at: sandbox.clock.iso() },
      message: 'Document verified successfully.',
    })
  },
  examples: (sandbox) => {
    const user_uuid = firstUserOf(sandbox)?.uuid
    const all = sandbox.state.collection(documents).all()
    return { code: all.find((one) => one.status === 'verified' && one.user_uuid === user_uuid)?.code, user_uuid }
  },
}

function describeMissing(other: Document | undefined): string {
  return other === undefined ? 'No document' : 'No document of this user'
}

function describeDifference({ code }: Document): string {
  return `The document could not be verified: the file is not the document '${code}'.`
}

/** PDF readers accept a header within this many bytes. */
const HEADER_WINDOW = 1024

/** True for a PDF without a trailer, as after an aborted upload. PDFs are not parsed (interpretation I-08). */
function isDamaged(bytes: Buffer): boolean {
  return !bytes.includes('startxref') && !bytes.includes('%%EOF')
}
