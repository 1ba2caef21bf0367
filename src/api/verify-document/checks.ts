import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import type { Cites } from '../../engine/contract/cites.js'
import { exampleOf } from '../../engine/contract/fields.js'
import { defaultFixtures } from '../../package-root.js'
import type { Changes } from '../../tools/verify/calls.js'
import { valueText } from '../../tools/verify/interpretations/shapes.js'
import type { ReceivedAnswer } from '../../tools/verify/sender.js'
import {
  check,
  member,
  type OperationCheck,
  type OperationKnowledge,
  type TestedOperation,
} from '../../tools/verify/tested-operation.js'

type FormChanges = Changes['form']
type Naming = 'code' | 'file' | 'both'

/** The known document, named by its code, its file or both; undefined if the user named it in another way. */
function formOf({ session: { data }, contract }: TestedOperation, naming: Naming): FormChanges {
  const { form } = data.given(contract)
  const fields = naming === 'both' ? (['code', 'file'] as const) : [naming]
  if (form !== undefined && fields.some((name) => form[name] === undefined)) return undefined
  const schemaOf = (name: string) => contract.form?.properties[name] as TSchema
  return {
    code: naming === 'file' ? undefined : (form?.code ?? exampleOf(schemaOf('code'))),
    file: naming === 'code' ? undefined : pdfAt(form?.file ?? shipped('verified.pdf')),
  }
}

const verified = (naming: Naming, call: string, cites: Cites): OperationCheck =>
  check([...cites, 'S3.5', 'S3.7'], async (on) => {
    const form = formOf(on, naming)
    if (form === undefined)
      return on.unchecked(`--data names no ${naming === 'both' ? 'code with its file' : naming} for it.`)
    const answer = await on.send({ form })
    if (!on.expect(answer, call, { cites, needsData: true })) return
    const status = member(answer.body, 'status')
    const message = `The status of a success must be 'verified', not ${valueText(status)}.`
    if (typeof status === 'string') on.claim(status === 'verified', 'status', message, { cites: ['S3.7'] })
    compareEcho(on, answer, 'user_uuid', ['S3.5', 'S3.6'])
    if (naming !== 'file') compareEcho(on, answer, 'code', ['S3.3', 'S3.6'])
  })

function compareEcho(on: TestedOperation, { call: { form }, body }: ReceivedAnswer, name: string, cites: Cites): void {
  const echo = member(body, 'document', name)
  if (typeof echo !== 'string') return
  const isSame = echo.toLowerCase() === String(form?.[name]).toLowerCase()
  on.claim(isSame, `document.${name}`, `A call with one '${name}' is answered with another one.`, { cites })
}

const pdfAt = (path: string) => ({ path, type: 'application/pdf' })
/** The path of a file that the package ships. */
const shipped = (name: string) => join(defaultFixtures, 'files', name)
const shippedPdf = (name: string) => ({ file: pdfAt(shipped(name)) })

/** A document that is not verified. The causes are not shown, so other statuses differ from I-08 alone. */
const unverified = (
  call: string,
  [status, ...others]: readonly [number, ...number[]],
  cites: Cites,
  form: (on: TestedOperation) => FormChanges,
): OperationCheck =>
  check(cites, async (on) => {
    const answer = await on.send({ form: { code: undefined, file: undefined, ...form(on) } })
    on.expect(answer, call, { status, otherwise: { 'I-08': others } })
  })

const checks: readonly OperationCheck[] = [
  verified('code', 'A call with a code', ['S3.3', 'S3.4']),
  verified('file', 'A call with a file', ['S3.2', 'S3.4']),
  verified('both', 'A call with a code and its file', ['S3.4']),
  unverified('A call with an unknown code', [404, 422], ['SE.3'], (on) => ({ code: on.session.data.nonsense })),
  unverified('A call with a PDF that was never uploaded', [404, 422], ['SE.3', 'S3.2'], () =>
    shippedPdf('unknown.pdf'),
  ),
  unverified('A call with a text file', [400, 404, 422], ['SE.1', 'S3.2'], () => shippedPdf('not-a-pdf.pdf')),
  unverified('A call with a damaged PDF', [422, 400, 404], ['SE.5'], () => shippedPdf('damaged.pdf')),
  unverified('A call with a code and the file of another document', [422, 400, 404], ['SE.5'], (on) => ({
    ...(formOf(on, 'code') ?? { code: on.session.data.nonsense }),
    ...shippedPdf('unknown.pdf'),
  })),
  check(['I-08'], async (on) => {
    const form = formOf(on, 'code') ?? formOf(on, 'file')
    if (form === undefined || !(await on.send({ form })).ok) return on.unchecked('No document is known.')
    const user_uuid = on.session.data.unknownLike(String(on.complete.form?.user_uuid))
    const answer = await on.send({ form: { ...form, user_uuid } })
    on.seesStatus('verifyScope', answer, { 200: 'anyone', 404: 'owner' })
  }),
]

export const verifyDocument: OperationKnowledge = { checks, shownByChecks: ['S3.7'] }
