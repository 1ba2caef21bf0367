import assert from 'node:assert/strict'
import { exampleValues } from '../../src/operations/example-values.js'
import type { Server } from '../../src/server/create-server.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { all, requestOf } from '../helper.js'
import { inTime } from './oracle.js'

const LOOKS = 'state invitations outbox scenarios coverage requests requests?format=curl openapi.json docs clock'

/** Calls every operation and looks at everything, whatever the world holds: nothing may fail, and the journal is right. */
export async function exercise({ app, worlds }: Server): Promise<void> {
  const { root } = worlds
  const authorization = `Bearer ${root.firstUser?.token ?? 'none'}`
  const known = exampleValues(root)
  const knownIn = (part: { readonly properties: object } | undefined): Record<string, string> =>
    Object.fromEntries(Object.entries(known).filter(([name]) => Object.hasOwn(part?.properties ?? {}, name)))
  for (const contract of all) {
    const { params, query, form } = contract
    const changes = { params: knownIn(params), query: knownIn(query), form: knownIn(form) }
    const request = requestOf(contract, { ...changes, headers: headersOf(authorization) })
    const answer = await inTime(contract.id, app.inject(request))
    assert.notEqual(answer.headers['x-mock-error'], 'internal', `${contract.id} fails: ${answer.body.slice(0, 500)}`)
    const entry = entryOf(root.journal.exchanges()[0] as never)
    assert.equal(entry.status, answer.statusCode, `the journal has another status of ${contract.id}`)
  }
  for (const look of LOOKS.split(' ')) {
    const answer = await inTime(look, app.inject(`/__admin/${look}`))
    assert.equal(answer.statusCode, 200, `${look} fails: ${answer.body.slice(0, 500)}`)
  }
}

/** A token of any letters is sent as it can be: what no header may hold is left out. */
function headersOf(authorization: string): Record<string, string> {
  return { authorization: authorization.replace(/[^\x20-\x7e]/g, '') }
}
