import type { TSchema } from '@sinclair/typebox'
import type { Cites } from '../../engine/contract/cites.js'
import { exampleOf, isFile } from '../../engine/contract/fields.js'
import type { OperationChecks } from '../../tools/verify/definition.js'
import type { TestedOperation } from '../../tools/verify/tested-operation.js'

const OPTIONAL: Cites = ['S1.4', 'S1.5', 'S1.6']

async function upload(operation: TestedOperation): Promise<void> {
  const fields = Object.entries<TSchema>(operation.contract.form?.properties ?? {})
  const texts = fields.filter(([, schema]) => !isFile(schema)).map(([name, schema]) => [name, exampleOf(schema)])
  const imageOnly = await operation.send()
  const allFields = await operation.send({ form: Object.fromEntries(texts) })
  if (imageOnly.ok || allFields.ok) operation.session.leftovers.add('a signature image: the sample file')
  // If only the request with the optional fields succeeds, the provider requires these fields.
  const cites: Cites = allFields.ok ? OPTIONAL : ['S1.2', 'S1.3']
  operation.expect(imageOnly, 'A call with only a PNG image', { cites })
  operation.expect(allFields, 'A call with source, uuid and type', { cites: OPTIONAL })
}

export const uploadSignature: OperationChecks = {
  checks: [{ cites: ['S1.2', 'S1.3', 'S1.7', ...OPTIONAL], needs: 'writes', run: upload }],
  unverifiable: { 'S1.8': 'No operation shows the signatures of an account.' },
}
