import { Type } from '@sinclair/typebox'
import type { AdminRoutes } from '../../api.js'
import { oneOf, partial } from '../../contract/fields.js'
import { fixturesFormat } from '../../files/collections.js'
import { checkFixtures, checkPatch } from '../../files/fixtures.js'
import { parseSource, type SourceFile, sourceOf } from '../../files/source-file.js'
import { removeRecord } from '../../sandbox/state/remove.js'
import { pathParam } from '../path-param.js'
import { Problem } from '../problems.js'
import { YamlText } from './body.js'

const Reset = partial(
  { title: Type.String({ minLength: 1 }), file: Type.String({ minLength: 1 }) },
  { 'x-allowed': 'an object with title (the name of a test) and file (its file), or nothing' },
)

export const state: AdminRoutes = (routes, { sandboxOf }) => {
  const { api } = routes
  const format = fixturesFormat(api.collections, api.fixtures)
  const Query = partial({ collection: oneOf(api.collections.map(({ name }) => name)), counts: Type.Boolean() })
  routes.get('/state', { schema: { querystring: Query } }, (request) => {
    const { collection, counts = false } = request.query
    const sandbox = sandboxOf(request)
    api.prepare?.(sandbox)
    const { state } = sandbox
    return state.stored(() => {
      const records = api.collections.map((one) => [one.name, state.collection(one).all()] as const)
      if (counts) return { counts: Object.fromEntries(records.map(([name, { length }]) => [name, length])) }
      if (collection === undefined) return state.export()
      return { version: 1, ...Object.fromEntries(records.filter(([name]) => name === collection)) }
    })
  })
  routes.put('/state', async (request) => {
    const { state } = sandboxOf(request)
    state.replace(await checkFixtures(format, await sourceIn(request.body)))
    return state.stored(() => state.export())
  })
  routes.patch('/state', async (request) => {
    const { state } = sandboxOf(request)
    const source = await sourceIn(request.body)
    state.patch(await checkPatch(format, state.export(), source))
    return state.stored(() => state.export())
  })
  routes.delete('/state/:collection/:key', async (request) => {
    const [collection, key] = [pathParam(request, 'collection'), pathParam(request, 'key')]
    const { state } = sandboxOf(request)
    const kept = removeRecord(state, collection, key)
    if (kept !== undefined) throw new Problem(kept.reason === 'unknown' ? 'not-found' : 'conflict', kept.message)
    await state.save()
    return { status: 'ok' }
  })
  routes.post('/reset', { schema: { body: Reset } }, async (request) => {
    await sandboxOf(request).reset(request.body)
    return { status: 'ok' }
  })
}

async function sourceIn(body: unknown): Promise<SourceFile> {
  if (!(body instanceof YamlText)) return sourceOf('body', body)
  return parseSource('body', body.text, /^\s*[[{]/.test(body.text) ? 'json' : 'yaml')
}
