import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { examplesOf } from '../../../api/operations.js'
import { unknownOperation } from '../../journal/filter.js'
import type { CurlValue } from '../../judge/curl.js'
import { pathOf, sampleCall } from '../../judge/sample-call.js'
import { Problem } from '../problems.js'
import type { Resource } from './routes.js'

/** A request that the operation answers with success, as data. */
export const examples: Resource = (routes, { contracts }) => {
  const ids = contracts.map(({ id }) => id)
  routes.get('/examples/:operation', async (request) => {
    const { operation } = request.params as { operation: string }
    const { sandbox } = request
    const contract = contracts.find(({ id }) => id === operation)
    if (contract === undefined) throw new Problem('not-found', unknownOperation(operation, ids))
    const call = sampleCall(contract, examplesOf(contract, sandbox))
    return {
      method: contract.method,
      path: pathOf(contract, call),
      token: sandbox.firstUser?.token ?? '',
      form: await Promise.all(Object.entries(call.form ?? {}).map(field)),
    }
  })
}

async function field([name, value]: readonly [string, CurlValue]) {
  if (typeof value === 'string') return { name, value }
  const content = await readFile(value.path, 'base64')
  return { name, file: { filename: basename(value.path), type: value.type, content } }
}
