import type { Invitation } from '../../schemas/fixtures.js'
import { coverageOf } from '../coverage/coverage.js'
import { acceptDueInvitations, answerInvitation } from '../operations/invitation.js'
import { sourceOf } from '../text/source-file.js'
import { quote } from '../text/wording.js'
import { entryOf } from '../world/journal/entry.js'
import { matching } from '../world/journal/filter.js'
import { defineScenario, removeScenario } from '../world/scenarios/define.js'
import { keptScenario, unknownScenario } from '../world/scenarios/refusals.js'
import type { Scenario } from '../world/scenarios/scenario.js'
import { checkFixtures, checkPatch } from '../world/state/fixtures.js'
import { removeRecord } from '../world/state/remove.js'
import type { World } from '../world/world.js'
import type { Server } from './create-server.js'
import { originalFetch, requestTo } from './fetch-target.js'
import {
  closedWhileWaiting,
  headersOf,
  noMail,
  noPendingInvitation,
  ownTokenOf,
  requireListener,
  requireMilliseconds,
  requireOperation,
  requireText,
  timeOf,
  WAIT,
} from './handle-rules.js'
import { InvalidOption } from './invalid-option.js'
import type { MockWorld } from './world-handle.js'

/** Creates the handle to a world. */
export function worldHandle(world: World, { contracts, closed }: Server, serverUrl: string): MockWorld {
  const { playback, outbox, clock, journal, state } = world
  const url = `${serverUrl}${world.prefix}`
  const ids = contracts.map(({ id }) => id)
  return {
    url,
    get token() {
      return world.firstUser?.token ?? ''
    },
    headers: headersOf(world.name),
    get ownToken() {
      return ownTokenOf(world.name, this.token)
    },
    scenarios: {
      activate: (name: string) => playback.activate(known(world, name).name),
      deactivate: (name: string) => playback.deactivate(known(world, name).name),
      define: async (name, definition) => {
        requireText('The name of a scenario', name)
        return defineScenario(world, name, sourceOf(name, structuredClone(definition)))
      },
      remove: (name) => {
        const scenario = known(world, name)
        if (!removeScenario(world, name)) throw new InvalidOption(keptScenario(scenario))
      },
      active: () => playback.active,
      reset: (name) => playback.rewind(name === undefined ? undefined : known(world, name).name),
    },
    outbox: {
      messages: ({ to } = {}) => outbox.messages(to),
      waitFor: async ({ to, timeout = WAIT } = {}) => {
        if (to !== undefined) requireText('to', to)
        const newest = (await outbox.wait(to, requireMilliseconds(timeout), closed)).at(-1)
        if (newest !== undefined) return newest
        throw closed.aborted ? closedWhileWaiting() : noMail(to, timeout)
      },
      remove: (id) => {
        if (!outbox.remove(new Set([id]))) throw new InvalidOption(`The outbox has no message ${quote(id)}.`)
      },
    },
    invitations: {
      all: () => {
        acceptDueInvitations(world)
        return [...state.collection('invitations').all()]
      },
      accept: (email) => respond(world, email, 'accept'),
      decline: (email) => respond(world, email, 'decline'),
    },
    clock: {
      now: () => new Date(clock.now()),
      set: (now, frozen = true) => clock.set(timeOf(now), frozen),
      advance: (ms) => clock.set(clock.now() + requireMilliseconds(ms), clock.frozen),
    },
    state: {
      get: () => {
        acceptDueInvitations(world)
        return state.export()
      },
      set: async (fixtures) => {
        state.replace(await checkFixtures(sourceOf('state', structuredClone(fixtures))))
        await state.save()
      },
      patch: async (fixtures) => {
        state.patch(await checkPatch(state.export(), sourceOf('state', structuredClone(fixtures))))
        await state.save()
      },
      remove: async (collection, key) => {
        const kept = removeRecord(state, collection, key)
        if (kept !== undefined) throw new InvalidOption(kept.message)
        await state.save()
      },
    },
    fetch: async (input, init) =>
      originalFetch(requestTo({ url, serverUrl, publicUrl: world.settings.publicUrl }, input, init)),
    requests: (filter = {}) => {
      requireOperation(filter.operation, ids)
      return journal.exchanges().filter(matching(filter)).map(entryOf)
    },
    coverage: () => coverageOf(contracts, [journal.outcomes]),
    on: (event, listener) => {
      const heard = requireListener(event, listener)
      return journal.subscribe((exchange) => heard(entryOf(exchange)))
    },
    reset: () => world.reset(),
  }
}

/** @throws {InvalidOption} if the scenario does not exist */
function known({ library }: World, name: string): Scenario {
  const scenario = library.find(requireText('The name of a scenario', name))
  if (scenario === undefined) throw new InvalidOption(unknownScenario(name, library))
  return scenario
}

async function respond(world: World, email: string, event: 'accept' | 'decline'): Promise<Invitation> {
  acceptDueInvitations(world)
  const pending = world.state
    .collection('invitations')
    .find('status', 'pending')
    .find((one) => one.email.toLowerCase() === email.toLowerCase())
  const answered = pending && answerInvitation(world, pending.id, event)
  if (answered === undefined) throw noPendingInvitation(email)
  await world.state.save()
  return answered
}
