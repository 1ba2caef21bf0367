import t from 'tap'
import { collectionNames, keyOf, references } from '../../src/world/state/collections.js'
import { build } from '../helper.js'

const path = (collection: string, key: string) => `/__admin/state/${collection}/${encodeURIComponent(key)}`

t.test('a record that none refers to is removed, and no other', async (t) => {
  for (const name of collectionNames) {
    const server = await build(t)
    const { state } = server.worlds.root
    const before = state.export()
    const referred = references.filter(({ to }) => to === name)
    const free = (before[name] ?? []).find((one) =>
      referred.every(({ from, field, target }) =>
        (before[from] ?? []).every((other) => (other as never)[field] !== (one as never)[target]),
      ),
    )
    if (free === undefined) continue
    const remove = () => server.app.inject({ method: 'DELETE', url: path(name, keyOf(name, free)) })
    t.match(await remove(), { statusCode: 200 }, name)
    const left = (before[name] ?? []).filter((one) => one !== free)
    t.strictSame(state.export(), { ...before, [name]: left }, name)
    t.match(await remove(), { statusCode: 404 }, `${name}: once`)
  }
})

t.test('one that others refer to stays, and they are named', async (t) => {
  const server = await build(t)
  const before = server.worlds.root.state.export()
  for (const [collection, key, named] of [
    ['organizations', '1', /users\/3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31, .* and \d+ more refer to organizations\/1\./],
    ['sub_organizations', '6D9B7A52-41C3-4E0F-8A75-1C2E3D4F5A60', /^sub_organization_members\/6d9b7a52-.*\/101/],
    ['projects', 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11', /^attachments\/1/],
  ] as const) {
    const answer = await server.app.inject({ method: 'DELETE', url: path(collection, key) })
    t.match(answer.json(), { status: 409, code: 'conflict', detail: named }, collection)
  }
  t.strictSame(server.worlds.root.state.export(), before)
})

t.test('what is not there', async (t) => {
  const { app } = await build(t)
  for (const [collection, key, detail] of [
    ['projects', 'x', "projects has no record with the key 'x'."],
    ['members', '1', /There is no collection 'members'\. Those are: users, /],
    ['__proto__', '1', "There is no collection '__proto__'."],
  ] as const)
    t.match((await app.inject({ method: 'DELETE', url: path(collection, key) })).json(), { status: 404, detail })
})

t.test('a sandbox loses it alone', async (t) => {
  const server = await build(t)
  const member = path('sub_organization_members', '6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60/101')
  t.equal((await server.app.inject({ method: 'DELETE', url: `/~a${member}` })).statusCode, 200)
  const count = async (at: string) =>
    (await server.app.inject(`${at}/__admin/state?counts=true`)).json().counts.sub_organization_members
  t.equal(await count('/~a'), (await count('')) - 1)
})
