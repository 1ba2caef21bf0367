import { relative } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { oneOf } from '../../contract/fields.js'
import { isObject } from '../../contract/json.js'
import { didYouMean, quote } from '../../contract/wording.js'
import { ScenarioDefinition } from '../../files/scenario.js'
import { parseSource, type SourceFile, sourceOf } from '../../files/source-file.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { describeRule } from '../../sandbox/scenarios/describe.js'
import { type Scenario, scenarioText, statesOf, writtenRule } from '../../sandbox/scenarios/scenario.js'
import { Problem } from '../problems.js'
import { YamlText } from './body.js'
import { partial, type Resource } from './routes.js'
import { fileForScenario, saveScenario } from './saved-scenario.js'
import { requireInput } from './validator.js'

const Setting = partial(
  { active: Type.Boolean(), state: Type.String({ minLength: 1 }) },
  { 'x-allowed': 'an object with active (true or false), state (a name), or the rules of a scenario to define' },
)

const Query = partial({ format: oneOf(['json', 'yaml']) })

const PutQuery = partial({ save: Type.Boolean() })

export const scenarios: Resource = (routes) => {
  routes.get('/scenarios', (request) => {
    const { sandbox } = request
    const views = sandbox.library.all().map((scenario) => scenarioView(sandbox, scenario))
    return { scenarios: views, meta: { active: sandbox.playback.active } }
  })
  routes.get('/scenarios/:name', { schema: { querystring: Query } }, async (request, reply) => {
    const scenario = find(request)
    if (request.query.format !== 'yaml') return scenarioView(request.sandbox, scenario)
    return reply
      .type('application/yaml; charset=utf-8')
      .send(await scenarioText(scenario.description, scenario.rules.map(writtenRule)))
  })
  routes.put('/scenarios/:name', { schema: { querystring: PutQuery } }, async (request) => {
    const { sandbox, params, body, query } = request
    const { name } = params as { name: string }
    if (isDefinition(body)) {
      const file = query.save === true ? await fileForScenario(name, sandbox.settings) : undefined
      await sandbox.defineScenario(name, await definitionIn(name, body))
      if (file !== undefined) await saveScenario(file, body instanceof YamlText ? body.text : body)
      const view = scenarioView(sandbox, sandbox.library.find(name) as Scenario)
      return file === undefined ? view : { ...view, file: relative(sandbox.settings.folder, file) }
    }
    if (query.save === true) throw new Problem('invalid-input', SAVES_RULES)
    const setting = requireInput(Setting, body ?? { active: true })
    return switchOne(sandbox, find(request), setting)
  })
  routes.delete('/scenarios/:name', (request) => {
    const { name } = find(request)
    if (request.sandbox.removeScenario(name)) return { status: 'ok' }
    const kept = `The scenario ${quote(name)} was not defined in this sandbox and cannot be removed. Switch it off.`
    throw new Problem('conflict', kept)
  })
  routes.post('/scenarios/:name/reset', (request) => {
    const { sandbox } = request
    const scenario = find(request)
    sandbox.playback.rewind(scenario.name)
    return scenarioView(sandbox, scenario)
  })
  routes.post('/scenarios/reset', (request) => {
    request.sandbox.playback.rewind()
    return { status: 'ok' }
  })
}

function find({ sandbox: { library }, params }: Pick<FastifyRequest, 'sandbox' | 'params'>): Scenario {
  const { name } = params as { name: string }
  const scenario = library.find(name)
  if (scenario !== undefined) return scenario
  const hint = name === 'reset' ? ' To start all scenarios over, use POST /__admin/scenarios/reset.' : ''
  throw new Problem('not-found', `${library.describeUnknown(name)}${hint}`)
}

function switchOne(sandbox: Sandbox, scenario: Scenario, { active, state }: { active?: boolean; state?: string }) {
  const states = statesOf(scenario.rules)
  if (state !== undefined && !states.includes(state))
    throw new Problem(
      'invalid-input',
      `The scenario ${quote(scenario.name)} has no state ${quote(state)}.${didYouMean(state, states)} Its states are ${states.join(', ')}.`,
    )
  if (active === true) sandbox.playback.activate(scenario.name)
  if (active === false) sandbox.playback.deactivate(scenario.name)
  if (state !== undefined) sandbox.playback.setState(scenario, state)
  return scenarioView(sandbox, scenario)
}

/** A body with other keys than `active` and `state` defines a scenario. */
function isDefinition(body: unknown): body is object {
  if (body instanceof YamlText) return true
  if (!isObject(body)) return false
  const keys = Object.keys(body)
  return (
    keys.some((key) => DEFINING.includes(key)) || (keys.length > 0 && !keys.some((key) => key in Setting.properties))
  )
}

const DEFINING = Object.keys(ScenarioDefinition.properties).filter((key) => key !== 'active')

const SAVES_RULES = "'save' writes the rules of a scenario into a file: send the rules with it."

function definitionIn(name: string, body: object): Promise<SourceFile> | SourceFile {
  return body instanceof YamlText ? parseSource(`${name}.yaml`, body.text) : sourceOf(name, body)
}

function scenarioView({ playback }: Sandbox, { name, source, description, rules }: Scenario) {
  return {
    name,
    source,
    description,
    active: playback.active.includes(name),
    state: playback.stateOf(name),
    rules: rules.map((rule, at) => ({
      ...writtenRule(rule),
      says: describeRule(rule),
      answered: playback.answered(name, at),
    })),
  }
}
