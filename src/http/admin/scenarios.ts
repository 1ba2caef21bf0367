import { Type } from '@sinclair/typebox'
import { didYouMean, quote } from '../../text/wording.js'
import type { Scenario } from '../../world/scenarios/scenario.js'
import type { World } from '../../world/world.js'
import { Problem } from '../problems.js'
import { readBody } from './input.js'
import type { Resource } from './resource.js'

const Setting = Type.Object(
  { active: Type.Optional(Type.Boolean()), state: Type.Optional(Type.String({ minLength: 1 })) },
  { additionalProperties: false, 'x-allowed': 'an object with active (true or false) or state (a name)' },
)

export const scenarios: Resource = (routes, { worldOf }) => {
  routes.get('/scenarios', async (request) => {
    const world = worldOf(request)
    await world.library.load()
    return { scenarios: world.library.all().map((scenario) => scenarioView(world, scenario)) }
  })
  routes.put('/scenarios/:name', async (request) => {
    const world = worldOf(request)
    const scenario = await find(world, (request.params as { name: string }).name)
    const { active, state } = readBody(Setting, request.body ?? { active: true })
    if (active === true) world.playback.activate(scenario.name)
    if (active === false) world.playback.deactivate(scenario.name)
    if (state !== undefined) world.playback.setState(scenario, state)
    return scenarioView(world, scenario)
  })
  routes.post('/scenarios/reset', (request) => {
    worldOf(request).playback.rewind()
    return { status: 'ok' }
  })
}

async function find({ library }: World, name: string): Promise<Scenario> {
  if (library.needsFilesFor(name)) await library.load()
  const scenario = library.find(name)
  if (scenario !== undefined) return scenario
  throw new Problem(
    'not-found',
    `There is no scenario ${quote(name)}.${didYouMean(name, library.names())} GET /__admin/scenarios lists them.`,
  )
}

function scenarioView({ playback }: World, { name, description, rules }: Scenario) {
  return {
    name,
    description,
    active: playback.active.includes(name),
    state: playback.stateOf(name),
    rules: rules.map(({ on, meets: _, ...rule }, at) => ({
      on: on === undefined ? '*' : [...on],
      ...rule,
      answered: playback.answered(name, at),
    })),
  }
}
