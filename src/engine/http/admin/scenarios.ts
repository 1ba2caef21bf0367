import { basename, relative } from 'node:path'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { AdminRoutes } from '../../api.js'
import { oneOf, partial } from '../../contract/fields.js'
import { isObject } from '../../contract/json.js'
import { didYouMean, quote } from '../../contract/wording.js'
import { DEFINING_KEYS, type Rule, type ScenarioDefinition } from '../../files/scenario.js'
import { parseSource, type SourceFile, sourceFromData } from '../../files/source-file.js'
import { scenarioText } from '../../journal/as-scenario.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { type CompiledRule, describeRule, type Scenario, statesOf } from '../../sandbox/scenarios/scenario.js'
import { pathParam } from '../path-param.js'
import { Problem } from '../problems.js'
import { requireInput, YamlText } from './input.js'
import { fileForScenario, saveScenario, textOfScenario } from './saved-scenario.js'

const Setting = partial(
  { active: Type.Boolean(), state: Type.String({ minLength: 1 }) },
  { 'x-allowed': 'an object with active (true or false), state (a name), or the rules of a scenario to define' },
)

const Query = partial({ format: oneOf(['json', 'yaml']), source: Type.Boolean() })

/** `check` changes nothing; `tag` is the version of the file that a save replaces, as read with `source`. */
const PutQuery = partial({ check: Type.Boolean(), save: Type.Boolean(), tag: Type.String() })

export const scenarios: AdminRoutes = (routes, { sandboxOf }) => {
  // Saves run one after the other, so that the file and the sandbox end with the same definition.
  let lastSave: Promise<unknown> = Promise.resolve()
  const save = (sandbox: Sandbox, name: string, body: object, tag: string | undefined) => {
    const turn = lastSave.then(() => defineAndSave(sandbox, name, body, tag))
    lastSave = turn.catch(() => {})
    return turn
  }
  routes.get('/scenarios', (request) => {
    const sandbox = sandboxOf(request)
    const views = sandbox.library.all().map((scenario) => scenarioView(sandbox, scenario))
    return { scenarios: views, meta: { active: sandbox.player.active } }
  })
  routes.get('/scenarios/:name', { schema: { querystring: Query } }, async (request, reply) => {
    if (request.query.source === true) return sourceFor(sandboxOf(request), pathParam(request, 'name'))
    const scenario = find(sandboxOf(request), request)
    if (request.query.format !== 'yaml') return scenarioView(sandboxOf(request), scenario)
    return reply
      .type('application/yaml; charset=utf-8')
      .send(await scenarioText(scenario.description, scenario.rules.map(toRule)))
  })
  routes.put('/scenarios/:name', { schema: { querystring: PutQuery } }, async (request) => {
    const sandbox = sandboxOf(request)
    const { body, query } = request
    const name = pathParam(request, 'name')
    if (query.tag !== undefined && query.save !== true)
      throw new Problem('invalid-input', "'tag' needs 'save=true': send both.")
    if (isDefinition(body)) {
      if (query.check === true) {
        await sandbox.library.check(name, await definitionIn(`${name}.yaml`, body))
        return { status: 'ok' }
      }
      if (query.save === true) return save(sandbox, name, body, query.tag)
      return define(sandbox, name, await definitionIn(`${name}.yaml`, body))
    }
    if (query.save === true)
      throw new Problem('invalid-input', "'save' writes the rules of a scenario into a file: send the rules with it.")
    const setting = requireInput(Setting, body === undefined ? { active: true } : body)
    return applySetting(sandbox, find(sandbox, request), setting)
  })
  routes.delete('/scenarios/:name', (request) => {
    const sandbox = sandboxOf(request)
    const { name } = find(sandbox, request)
    if (sandbox.removeScenario(name)) return { status: 'ok' }
    const message = `The scenario ${quote(name)} was not defined in this sandbox and cannot be removed. Switch it off.`
    throw new Problem('conflict', message)
  })
  routes.post('/scenarios/:name/reset', (request) => {
    const sandbox = sandboxOf(request)
    const scenario = find(sandbox, request)
    sandbox.player.rewind(scenario.name)
    return scenarioView(sandbox, scenario)
  })
  routes.post('/scenarios/reset', (request) => {
    sandboxOf(request).player.rewind()
    return { status: 'ok' }
  })
}

async function sourceFor({ library, settings }: Sandbox, name: string) {
  const source = await textOfScenario(name, settings)
  if (source !== undefined) return { ...source, file: relative(settings.folder, source.file) }
  const noFile = `The scenario ${quote(name)} has no file in your scenarios folder. Save its rules with save=true.`
  throw new Problem('not-found', library.find(name) === undefined ? library.describeUnknown(name) : noFile)
}

async function define(sandbox: Sandbox, name: string, source: SourceFile) {
  await sandbox.defineScenario(name, source)
  return scenarioView(sandbox, sandbox.library.find(name) as Scenario)
}

async function defineAndSave(sandbox: Sandbox, name: string, body: object, tag: string | undefined) {
  const { file, needsMark } = await fileForScenario(name, sandbox.settings, tag)
  const source = await definitionIn(basename(file), body)
  for (const base of [(source.data as ScenarioDefinition | null)?.extends ?? []].flat().map(String))
    if (sandbox.library.find(base)?.source === 'defined' && !(await textOfScenario(base, sandbox.settings)))
      throw new Problem('conflict', `${quote(base)} has no file that another could extend. Save it first.`)
  const view = await define(sandbox, name, source)
  await saveScenario(file, body instanceof YamlText ? body.text : body, needsMark)
  return { ...view, file: relative(sandbox.settings.folder, file) }
}

function find({ library }: Sandbox, request: Pick<FastifyRequest, 'params'>): Scenario {
  const name = pathParam(request, 'name')
  const scenario = library.find(name)
  if (scenario !== undefined) return scenario
  const hint = name === 'reset' ? ' To start all scenarios over, use POST /__admin/scenarios/reset.' : ''
  throw new Problem('not-found', `${library.describeUnknown(name)}${hint}`)
}

function applySetting(sandbox: Sandbox, scenario: Scenario, { active, state }: { active?: boolean; state?: string }) {
  const states = statesOf(scenario.rules)
  if (state !== undefined && !states.includes(state)) {
    const message = `The scenario ${quote(scenario.name)} has no state ${quote(state)}.${didYouMean(state, states)} Its states are ${states.join(', ')}.`
    throw new Problem('invalid-input', message)
  }
  if (active === true) sandbox.player.activate(scenario.name)
  if (active === false) sandbox.player.deactivate(scenario.name)
  if (state !== undefined) sandbox.player.setState(scenario, state)
  return scenarioView(sandbox, scenario)
}

function isDefinition(body: unknown): body is object {
  if (body instanceof YamlText) return true
  if (!isObject(body)) return false
  const keys = Object.keys(body)
  const isSetting = keys.length === 0 || keys.some((key) => key in Setting.properties)
  return !isSetting || keys.some((key) => DEFINING_KEYS.includes(key))
}

function definitionIn(file: string, body: object): Promise<SourceFile> | SourceFile {
  return body instanceof YamlText ? parseSource(file, body.text) : sourceFromData(file.replace(/\.\w+$/, ''), body)
}

export type ScenarioView = ReturnType<typeof scenarioView>

function scenarioView({ player }: Sandbox, scenario: Scenario) {
  const { name, source, description, rules } = scenario
  return {
    name,
    source,
    description,
    active: player.active.includes(name),
    state: player.stateOf(scenario),
    rules: rules.map((rule, at) => ({
      ...toRule(rule),
      description: describeRule(rule),
      answered: player.answered(scenario, at),
    })),
  }
}

function toRule({ matches: _, place: __, ...rule }: CompiledRule): Rule {
  return { ...rule, on: rule.on === '*' ? rule.on : [...rule.on] }
}
