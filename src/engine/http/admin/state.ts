import { Type } from '@sinclair/typebox'
import { acceptDueInvitations } from '../../../api/invitations/invitation.js'
import { oneOf } from '../../contract/fields.js'
import { collectionNames } from '../../files/collections.js'
import { checkFixtures, checkPatch } from '../../files/fixtures.js'
import { parseSource, type SourceFile, sourceOf } from '../../files/source-file.js'
import { removeRecord } from '../../sandbox/state/remove.js'
import { Problem } from '../problems.js'
import { YamlText } from './body.js'
import { partial, type Resource } from './routes.js'

const Query = partial({
  collection: oneOf(collectionNames),
  counts: Type.Boolean(),
})

const Reset = partial(
  { title: Type.String({ minLength: 1 }), file: Type.String({ minLength: 1 }) },
  { 'x-allowed': 'an object with title (the name of a test) and file (its file), or nothing' },
)

export const state: Resource = (routes) => {
  routes.get('/state', { schema: { querystring: Query } }, (request) => {
    const { collection, counts = false } = request.query
    const { sandbox } = request
    acceptDueInvitations(sandbox)
    const { state } = sandbox
    return state.stored(() => {
      if (counts) {
        const lengths = collectionNames.map((name) => [name, state.collection(name).all().length])
        return { counts: Object.fromEntries(lengths) }
      }
      return collection === undefined
        ? state.export()
        : { version: 1, [collection]: [...state.collection(collection).all()] }
    })
  })
  routes.put('/state', async (request) => {
    const { state } = request.sandbox
    state.replace(await checkFixtures(await sourceIn(request.body)))
    return state.stored(() => state.export())
  })
  routes.patch('/state', async (request) => {
    const { state } = request.sandbox
    state.patch(await checkPatch(state.export(), await sourceIn(request.body)))
    return state.stored(() => state.export())
  })
  routes.delete('/state/:collection/:key', async (request) => {
    const { collection, key } = request.params as { collection: string; key: string }
    const { state } = request.sandbox
    const kept = removeRecord(state, collection, key)
    if (kept !== undefined) throw new Problem(kept.reason === 'unknown' ? 'not-found' : 'conflict', kept.message)
    await state.save()
    return { status: 'ok' }
  })
  routes.post('/reset', { schema: { body: Reset } }, async (request) => {
    await request.sandbox.reset(request.body)
    return { status: 'ok' }
  })
}

async function sourceIn(body: unknown): Promise<SourceFile> {
  if (!(body instanceof YamlText)) return sourceOf('body', body)
  return parseSource('body', body.text, /^\s*[[{]/.test(body.text) ? 'json' : 'yaml')
}
