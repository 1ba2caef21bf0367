import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { AdminRoutes } from '../../api.js'
import { headerValue } from '../../contract/contract.js'
import { describeUnknownOperation } from '../../journal/filter.js'
import { curlAsFetch } from '../../journal/snippets.js'
import { type CurlValue, curl } from '../../judge/curl.js'
import { curlCall, pathAndQueryOf, sampleCall } from '../../judge/sample-call.js'
import { examplesOf } from '../../operation.js'
import { baseUrlOf } from '../base-url.js'
import { pathParam } from '../path-param.js'
import { Problem } from '../problems.js'

export const examples: AdminRoutes = (routes, { contracts, sandboxOf }) => {
  const ids = contracts.map(({ id }) => id)
  routes.get('/examples/:operation', async (request) => {
    const id = pathParam(request, 'operation')
    const sandbox = sandboxOf(request)
    const { api } = routes
    const operation = api.operations.find(({ contract }) => contract.id === id)
    if (operation === undefined) throw new Problem('not-found', describeUnknownOperation(id, ids))
    const { contract } = operation
    const [header] = contract.tokenHeaders
    const sample = sampleCall(contract, api.sampleFiles, examplesOf(operation, sandbox))
    const token = sandbox.firstToken ?? ''
    const isBlocked = sandbox.name === null && sandbox.settings.requireSandbox
    const base = `${baseUrlOf(request, sandbox)}${isBlocked ? '/~NAME' : ''}`
    const { form, ...others } = curlCall(contract, sample, base, token)
    const withoutFolder = (value: CurlValue) =>
      typeof value === 'string' ? value : { ...value, path: basename(value.path) }
    const call = { ...others, form: form.map(([name, value]) => [name, withoutFolder(value)] as const) }
    return {
      method: contract.method,
      path: pathAndQueryOf(contract, sample),
      token,
      headers: header === undefined ? {} : { [header.name]: headerValue(header, token) },
      form: await Promise.all(form.map(field)),
      base,
      commands: { curl: curl(call), fetch: curlAsFetch(call, header, token) },
    }
  })
}

async function field([name, value]: readonly [string, CurlValue]) {
  if (typeof value === 'string') return { name, value }
  const content = await readFile(value.path, 'base64')
  return { name, file: { filename: basename(value.path), type: value.type, content } }
}
