import { Type } from '@sinclair/typebox'
import type { AdminRoutes } from '../../api.js'
import { oneOf, partial } from '../../contract/fields.js'
import { quote } from '../../contract/wording.js'
import { fieldOf, fixturesFormat, keyOf, normalizeKey, referencesIn } from '../../files/collections.js'
import { checkFixtures, checkPatch } from '../../files/fixtures.js'
import { parseSource, type SourceFile, sourceFromData } from '../../files/source-file.js'
import type { State } from '../../sandbox/state/state.js'
import { pathParam } from '../path-param.js'
import { Problem } from '../problems.js'
import { YamlText } from './input.js'

const Reset = partial(
  { title: Type.String({ minLength: 1 }), file: Type.String({ minLength: 1 }) },
  { 'x-allowed': 'an object with title (the name of a test) and file (its file), or nothing' },
)

export const state: AdminRoutes = (routes, { sandboxOf }) => {
  const { api } = routes
  const format = fixturesFormat(api.collections, api.fixturesPath)
  const Query = partial({ collection: oneOf(api.collections.map(({ name }) => name)), counts: Type.Boolean() })
  routes.get('/state', { schema: { querystring: Query } }, (request) => {
    const { collection, counts = false } = request.query
    const sandbox = sandboxOf(request)
    api.prepare?.(sandbox)
    const { state } = sandbox
    return state.readAndSave(() => {
      const records = api.collections.map((one) => [one.name, state.collection(one).all()] as const)
      if (counts) return { counts: Object.fromEntries(records.map(([name, { length }]) => [name, length])) }
      if (collection === undefined) return state.export()
      return { version: 1, ...Object.fromEntries(records.filter(([name]) => name === collection)) }
    })
  })
  routes.put('/state', async (request) => {
    const { state } = sandboxOf(request)
    state.replace(await checkFixtures(format, await sourceIn(request.body)))
    return state.readAndSave(() => state.export())
  })
  routes.patch('/state', async (request) => {
    const { state } = sandboxOf(request)
    const source = await sourceIn(request.body)
    state.patch(await checkPatch(format, state.export(), source))
    return state.readAndSave(() => state.export())
  })
  routes.delete('/state/:collection/:key', async (request) => {
    const { state } = sandboxOf(request)
    removeRecord(state, pathParam(request, 'collection'), pathParam(request, 'key'))
    await state.save()
    return { status: 'ok' }
  })
  routes.post('/reset', { schema: { body: Reset } }, async (request) => {
    await sandboxOf(request).reset(request.body)
    return { status: 'ok' }
  })
}

async function sourceIn(body: unknown): Promise<SourceFile> {
  if (!(body instanceof YamlText)) return sourceFromData('body', body)
  return parseSource('body', body.text, /^\s*[[{]/.test(body.text) ? 'json' : 'yaml')
}

const MAX_NAMED = 3

/** @throws {Problem} for an unknown record, and for a record to which others refer */
function removeRecord(state: State, collection: string, key: string): void {
  const { definitions } = state
  const definition = definitions.find(({ name }) => name === collection)
  if (definition === undefined) {
    const names = definitions.map(({ name }) => name).join(', ')
    throw new Problem('not-found', `There is no collection ${quote(collection)}. Available: ${names}.`)
  }
  const record = state.collection(definition).get(key)
  if (record === undefined) throw new Problem('not-found', `${collection} has no record with the key ${quote(key)}.`)
  const referring = definitions.flatMap((other) => {
    const references = referencesIn([other]).filter(({ to }) => to === collection)
    const isReference = (one: object, field: string, target: string) =>
      normalizeKey(fieldOf(one, field)) === normalizeKey(fieldOf(record, target))
    const refers = (one: object) => references.some(({ field, target }) => isReference(one, field, target))
    const all = references.length === 0 ? [] : state.collection(other).all()
    return all.filter(refers).map((referrer) => `${other.name}/${keyOf(other, referrer)}`)
  })
  if (referring.length > 0) {
    const more = referring.length > MAX_NAMED ? ` and ${referring.length - MAX_NAMED} more` : ''
    const names = `${referring.slice(0, MAX_NAMED).join(', ')}${more}`
    const target = `${collection}/${keyOf(definition, record)}`
    throw new Problem('conflict', `${names} refer to ${target}. Remove or change these records first.`)
  }
  state.collection(definition).remove(record)
}
