import { join } from 'node:path'
import type { Cites } from '../../engine/contract/cites.js'
import { exampleOf } from '../../engine/contract/fields.js'
import { valueAt } from '../../engine/contract/json.js'
import type { CallChanges } from '../../tools/verify/calls.js'
import type { OperationChecks } from '../../tools/verify/definition.js'
import type { ReceivedAnswer } from '../../tools/verify/sender.js'
import type { OperationCheck, TestedOperation } from '../../tools/verify/tested-operation.js'

type FormChanges = CallChanges['form']
type DocumentFields = 'code' | 'file' | 'both'

/** Names the document by code, file or both; undefined if the form in --data lacks one of these. */
function formOf(operation: TestedOperation, inputs: DocumentFields): FormChanges {
  const { session, contract } = operation
  const { form } = session.data.dataFor(contract)
  const fields = inputs === 'both' ? (['code', 'file'] as const) : [inputs]
  if (form !== undefined && fields.some((name) => form[name] === undefined)) return undefined
  return {
    code: inputs === 'file' ? undefined : (form?.code ?? exampleOf(contract.form?.properties.code)),
    file: inputs === 'code' ? undefined : pdfAt(form?.file ?? shippedFile(operation, 'verified.pdf')),
  }
}

const expectVerified = (inputs: DocumentFields, call: string, cites: Cites): OperationCheck => ({
  cites: [...cites, 'S3.5', 'S3.7'],
  async run(operation) {
    const form = formOf(operation, inputs)
    if (form === undefined)
      return operation.reportUnchecked(
        `--data has no ${inputs === 'both' ? 'code with its file' : inputs} for ${operation.contract.id}.`,
      )
    const answer = await operation.send({ form })
    if (!operation.expect(answer, call, { cites })) return
    compareEcho(operation, answer, 'user_uuid', ['S3.5', 'S3.6'])
    if (inputs !== 'file') compareEcho(operation, answer, 'code', ['S3.3', 'S3.6'])
    await compareTime(operation, answer, form)
  },
})

const SKEW_MS = 5 * 60_000

/** A time that does not change comes from a frozen clock, which is allowed. */
async function compareTime(operation: TestedOperation, answer: ReceivedAnswer, form: FormChanges): Promise<void> {
  const timeIn = ({ body }: ReceivedAnswer) => Date.parse(String(valueAt(body, 'document', 'verified_at')))
  if (!(Math.abs(timeIn(answer) - Date.now()) > SKEW_MS)) return
  const later = await operation.send({ form }, { attempt: 1 })
  const message = 'The time is more than 5 minutes from that of the request.'
  if (timeIn(later) !== timeIn(answer))
    operation.report('differs', ['I-08'], { where: 'document.verified_at', message })
}

function compareEcho(operation: TestedOperation, answer: ReceivedAnswer, name: string, cites: Cites): void {
  const echo = valueAt(answer.body, 'document', name)
  if (typeof echo !== 'string') return
  const isSame = echo.toLowerCase() === String(answer.call.form?.[name]).toLowerCase()
  operation.assert(isSame, `document.${name}`, `The answer has a different '${name}' from the request.`, { cites })
}

const pdfAt = (path: string) => ({ path, type: 'application/pdf' })

const shippedFile = ({ session }: TestedOperation, name: string) => join(session.api.fixturesPath, 'files', name)

const shippedPdf = (name: string) => (operation: TestedOperation) => ({ file: pdfAt(shippedFile(operation, name)) })

const unknownCode = ({ session }: TestedOperation) => ({ code: session.data.nonsense })

/** The API document does not say which cause gets which status, so the other listed statuses break only I-08. */
const expectUnverified = (
  call: string,
  [status, ...others]: readonly [number, ...number[]],
  cites: Cites,
  form: (operation: TestedOperation) => FormChanges,
): OperationCheck => ({
  cites,
  async run(operation) {
    const answer = await operation.send({ form: { code: undefined, file: undefined, ...form(operation) } })
    operation.expect(answer, call, { status, alsoAllowed: { 'I-08': others } })
  },
})

export const verifyDocument: OperationChecks = {
  checks: [
    expectVerified('code', 'A call with a code', ['S3.3', 'S3.4']),
    expectVerified('file', 'A call with a file', ['S3.2', 'S3.4']),
    expectVerified('both', 'A call with a code and its file', ['S3.4']),
    expectUnverified('A call with an unknown code', [404, 422], ['SE.3'], unknownCode),
    expectUnverified('A call with an unknown PDF', [404, 422], ['SE.3', 'S3.2'], shippedPdf('unknown.pdf')),
    expectUnverified('A call with a text file', [400, 404, 422], ['SE.1', 'S3.2'], shippedPdf('not-a-pdf.pdf')),
    expectUnverified('A call with a damaged PDF', [422, 400, 404], ['SE.5'], shippedPdf('damaged.pdf')),
    {
      cites: ['SE.5'],
      async run(operation) {
        const form = formOf(operation, 'code')
        if (form === undefined || !(await operation.send({ form })).ok)
          return operation.reportUnchecked('The call with a code did not succeed. With --data FILE, pass a known code.')
        const answer = await operation.send({ form: { ...form, ...shippedPdf('unknown.pdf')(operation) } })
        operation.expect(answer, 'A code with another file', { status: 422, alsoAllowed: { 'I-08': [200, 400, 404] } })
      },
    },
  ],
}
