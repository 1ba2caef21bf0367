import { relative } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { AdminRoutes } from '../../api.js'
import { oneOf, partial } from '../../contract/fields.js'
import { isObject } from '../../contract/json.js'
import { didYouMean, quote } from '../../contract/wording.js'
import { DEFINING_KEYS } from '../../files/scenario.js'
import { scenarioText, writtenRule } from '../../files/scenario-text.js'
import { parseSource, type SourceFile, sourceOf } from '../../files/source-file.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { describeRule } from '../../sandbox/scenarios/describe.js'
import { type Scenario, statesOf } from '../../sandbox/scenarios/scenario.js'
import { pathParam } from '../path-param.js'
import { Problem } from '../problems.js'
import { YamlText } from './body.js'
import { fileForScenario, saveScenario } from './saved-scenario.js'
import { requireInput } from './validator.js'

const Setting = partial(
  { active: Type.Boolean(), state: Type.String({ minLength: 1 }) },
  { 'x-allowed': 'an object with active (true or false), state (a name), or the rules of a scenario to define' },
)

const Query = partial({ format: oneOf(['json', 'yaml']) })

const PutQuery = partial({ save: Type.Boolean() })

export const scenarios: AdminRoutes = (routes, { sandboxOf }) => {
  routes.get('/scenarios', (request) => {
    const sandbox = sandboxOf(request)
    const views = sandbox.library.all().map((scenario) => scenarioView(sandbox, scenario))
    return { scenarios: views, meta: { active: sandbox.player.active } }
  })
  routes.get('/scenarios/:name', { schema: { querystring: Query } }, async (request, reply) => {
    const scenario = find(sandboxOf(request), request)
    if (request.query.format !== 'yaml') return scenarioView(sandboxOf(request), scenario)
    return reply
      .type('application/yaml; charset=utf-8')
      .send(await scenarioText(scenario.description, scenario.rules.map(writtenRule)))
  })
  routes.put('/scenarios/:name', { schema: { querystring: PutQuery } }, async (request) => {
    const sandbox = sandboxOf(request)
    const { body, query } = request
    const name = pathParam(request, 'name')
    if (isDefinition(body)) {
      const file = query.save === true ? await fileForScenario(name, sandbox.settings) : undefined
      await sandbox.defineScenario(name, await definitionIn(name, body))
      if (file !== undefined) await saveScenario(file, body instanceof YamlText ? body.text : body)
      const view = scenarioView(sandbox, sandbox.library.find(name) as Scenario)
      return file === undefined ? view : { ...view, file: relative(sandbox.settings.folder, file) }
    }
    if (query.save === true) throw new Problem('invalid-input', SAVES_RULES)
    const setting = requireInput(Setting, body ?? { active: true })
    return switchOne(sandbox, find(sandbox, request), setting)
  })
  routes.delete('/scenarios/:name', (request) => {
    const sandbox = sandboxOf(request)
    const { name } = find(sandbox, request)
    if (sandbox.removeScenario(name)) return { status: 'ok' }
    const kept = `The scenario ${quote(name)} was not defined in this sandbox and cannot be removed. Switch it off.`
    throw new Problem('conflict', kept)
  })
  routes.post('/scenarios/:name/reset', (request) => {
    const sandbox = sandboxOf(request)
    const scenario = find(sandboxOf(request), request)
    sandbox.player.rewind(scenario.name)
    return scenarioView(sandbox, scenario)
  })
  routes.post('/scenarios/reset', (request) => {
    sandboxOf(request).player.rewind()
    return { status: 'ok' }
  })
}

function find({ library }: Sandbox, request: Pick<FastifyRequest, 'params'>): Scenario {
  const name = pathParam(request, 'name')
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
  if (active === true) sandbox.player.activate(scenario.name)
  if (active === false) sandbox.player.deactivate(scenario.name)
  if (state !== undefined) sandbox.player.setState(scenario, state)
  return scenarioView(sandbox, scenario)
}

/** A body with other keys than `active` and `state` defines a scenario. */
function isDefinition(body: unknown): body is object {
  if (body instanceof YamlText) return true
  if (!isObject(body)) return false
  const keys = Object.keys(body)
  return (
    keys.some((key) => DEFINING_KEYS.includes(key)) ||
    (keys.length > 0 && !keys.some((key) => key in Setting.properties))
  )
}

const SAVES_RULES = "'save' writes the rules of a scenario into a file: send the rules with it."

function definitionIn(name: string, body: object): Promise<SourceFile> | SourceFile {
  return body instanceof YamlText ? parseSource(`${name}.yaml`, body.text) : sourceOf(name, body)
}

function scenarioView({ player }: Sandbox, { name, source, description, rules }: Scenario) {
  return {
    name,
    source,
    description,
    active: player.active.includes(name),
    state: player.stateOf(name),
    rules: rules.map((rule, at) => ({
      ...writtenRule(rule),
      says: describeRule(rule),
      answered: player.answered(name, at),
    })),
  }
}
