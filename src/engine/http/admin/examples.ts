import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { AdminRoutes } from '../../api.js'
import { unknownOperation } from '../../journal/filter.js'
import type { CurlValue } from '../../judge/curl.js'
import { pathOf, sampleCall } from '../../judge/sample-call.js'
import { examplesOf } from '../../operation.js'
import { pathParam } from '../path-param.js'
import { Problem } from '../problems.js'

export const examples: AdminRoutes = (routes, { contracts, sandboxOf }) => {
  const ids = contracts.map(({ id }) => id)
  routes.get('/examples/:operation', async (request) => {
    const operation = pathParam(request, 'operation')
    const sandbox = sandboxOf(request)
    const { api } = routes
    const found = api.operations.find(({ contract }) => contract.id === operation)
    if (found === undefined) throw new Problem('not-found', unknownOperation(operation, ids))
    const { contract } = found
    const call = sampleCall(contract, api.sampleFiles, examplesOf(found, sandbox))
    return {
      method: contract.method,
      path: pathOf(contract, call),
      token: sandbox.firstToken ?? '',
      form: await Promise.all(Object.entries(call.form ?? {}).map(field)),
    }
  })
}

async function field([name, value]: readonly [string, CurlValue]) {
  if (typeof value === 'string') return { name, value }
  const content = await readFile(value.path, 'base64')
  return { name, file: { filename: basename(value.path), type: value.type, content } }
}
