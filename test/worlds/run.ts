import assert from 'node:assert/strict'
import type { LightMyRequestResponse } from 'fastify'
import type { Fixtures } from '../../schemas/fixtures.js'
import { defaultFixtures } from '../../src/package-root.js'
import type { Server } from '../../src/server/create-server.js'
import { readFixtures } from '../../src/world/state/fixtures.js'
import type { World } from '../../src/world/world.js'
import { requestOf } from '../helper.js'
import { contentsOf, type Rules, WorldModel } from './model.js'

export const START = Date.parse('2026-01-15T09:30:00.000Z')

const { attachments: _, credit_histories: __, ...others } = await readFixtures(defaultFixtures)
/** The default world, without what is large and never changes. */
export const seeded: Fixtures = others
/** A server, and what each of its worlds should be. */
export interface Run {
  readonly rules: Rules
  server: Server
  readonly models: Map<string, WorldModel>
  readonly restart: () => Promise<Server>
  readonly persisted: boolean
}

export const ROOT = 'root'
export const prefixOf = (world: string) => (world === ROOT ? '' : `/~${world}`)

export function modelOf({ models, rules }: Run, world: string): WorldModel {
  const model = models.get(world) ?? new WorldModel(rules, contentsOf(seeded), START)
  models.set(world, model)
  return model
}

export function worldOf({ server: { worlds } }: Run, world: string): World {
  return world === ROOT ? worlds.root : (worlds.sandbox(world) as World)
}

/** A call to a world's admin or pages. */
export function call(
  { server: { app } }: Run,
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  url: string,
  payload?: object,
) {
  return app.inject({ method, url, ...(payload && { payload }) })
}

/** A call to the API of a world, and whether the journal counts it. */
export async function callApi(run: Run, world: string, ...[contract, changes]: Parameters<typeof requestOf>) {
  const sandbox = world === ROOT ? undefined : world
  const answer = await run.server.app.inject(requestOf(contract, { ...changes, sandbox }))
  assert.equal(answer.headers['x-mock-exchange'], `x${++modelOf(run, world).calls}`, 'the exchange is the next one')
  assert.equal(answer.headers['x-mock-outcome'], `${contract.id}:${answer.statusCode}`, 'the outcome is the answer')
  return answer
}

export function answered(answer: LightMyRequestResponse, status: number): void {
  assert.equal(answer.statusCode, status, `answered ${answer.statusCode} and not ${status}: ${answer.body}`)
}
