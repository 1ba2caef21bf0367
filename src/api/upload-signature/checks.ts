import type { TSchema } from '@sinclair/typebox'
import type { Cites } from '../../engine/contract/cites.js'
import { exampleOf, isFile } from '../../engine/contract/fields.js'
import { check, type OperationKnowledge, type TestedOperation } from '../../tools/verify/tested-operation.js'

const OPTIONAL: Cites = ['S1.4', 'S1.5', 'S1.6']

async function upload(on: TestedOperation): Promise<void> {
  const texts = Object.entries<TSchema>(on.contract.form?.properties ?? {}).filter(([, schema]) => !isFile(schema))
  const alone = await on.send()
  const whole = await on.send({ form: Object.fromEntries(texts.map(([name, schema]) => [name, exampleOf(schema)])) })
  if (alone.ok || whole.ok) on.session.left.add('a signature image: the sample file')
  // If the image is accepted with the optional fields, it was invalid for lack of them.
  const cites: Cites = whole.ok ? OPTIONAL : ['S1.2', 'S1.3']
  on.expect(alone, 'A call with only a PNG image', { cites })
  on.expect(whole, 'A call with source, uuid and type', { cites: OPTIONAL })
}

export const uploadSignature: OperationKnowledge = {
  checks: [check(['S1.2', 'S1.3', 'S1.7', ...OPTIONAL], upload, 'writes')],
  unverifiable: { 'S1.8': 'No operation shows the signatures of an account.' },
}
