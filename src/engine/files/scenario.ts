import { type SchemaOptions, type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { type Contract, GATEWAY_STATUSES } from '../contract/contract.js'
import { closedObject, oneOf } from '../contract/fields.js'
import type { FilePlace } from './invalid-files.js'

/** WireMock's names, plus TIMEOUT. */
export const FAULTS = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
  'TIMEOUT',
] as const
export type Fault = (typeof FAULTS)[number]

export const LONGEST_DELAY_MS = 600_000

const milliseconds = (options = {}) => Type.Number({ minimum: 0, maximum: LONGEST_DELAY_MS, ...options })

const plain = [Type.String(), Type.Number(), Type.Boolean()] as const

const conditions = {
  equals: Type.Optional(Type.Union([...plain])),
  contains: Type.Optional(Type.String()),
  startsWith: Type.Optional(Type.String()),
  endsWith: Type.Optional(Type.String()),
  matches: Type.Optional(
    Type.String({
      description: 'A regular expression that matches anywhere in the value (RE2: no look-around, no back-references).',
    }),
  ),
  absent: Type.Optional(Type.Boolean()),
}

const PlainMatcher = Type.Union([...plain, closedObject(conditions, { minProperties: 1 })])

const fileMatcher = (description: string) => Type.Optional(Type.Union([...PlainMatcher.anyOf], { description }))

/** If the field is a file, plain values and text conditions apply to its name. */
const FieldMatcher = Type.Union([
  ...plain,
  closedObject(
    {
      ...conditions,
      filename: fileMatcher("The file's name. A plain value without `filename` compares the name, too."),
      size: fileMatcher("A file's size in bytes."),
      type: fileMatcher("A file's declared content type."),
      sha256: fileMatcher("A file's sha256 in lower-case hex."),
    },
    { minProperties: 1 },
  ),
])
export type FieldMatcher = Static<typeof FieldMatcher>

const Matchers = Type.Record(Type.String(), PlainMatcher)

const Delay = Type.Union([
  milliseconds({ description: 'Milliseconds.' }),
  closedObject({ uniform: closedObject({ lower: milliseconds(), upper: milliseconds() }) }),
  closedObject({
    lognormal: closedObject({
      median: Type.Number({ minimum: 1, maximum: LONGEST_DELAY_MS }),
      sigma: Type.Number({ minimum: 0, maximum: 5 }),
    }),
  }),
])
export type Delay = Static<typeof Delay>

export const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"

const ScenarioAnswer = closedObject({
  status: Type.Optional(
    Type.Integer({
      description: `A status that the operation declares, or a gateway status: ${GATEWAY_STATUSES.join(', ')}.`,
    }),
  ),
  body: Type.Optional(Type.Unknown({ description: 'The body to send instead of the sample body.' })),
  headers: Type.Optional(
    Type.Record(
      Type.String({ pattern: HEADER_NAME }),
      Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, description: 'A line for each.' })]),
    ),
  ),
  delay: Type.Optional(Delay),
  dribble: Type.Optional(
    closedObject(
      { chunks: Type.Integer({ minimum: 1, maximum: 1_000 }), duration: milliseconds() },
      { description: 'Sends the body in this number of pieces over this number of milliseconds.' },
    ),
  ),
  fault: Type.Optional(
    oneOf(FAULTS, {
      description: 'How the connection fails; TIMEOUT lasts until the client gives up or the server closes.',
    }),
  ),
  effect: Type.Optional(
    oneOf(['none', 'after'], {
      description:
        '`after`: the operation takes place, then its answer is replaced or lost. `none`: a status, body or fault replaces the operation.',
    }),
  ),
})
export type ScenarioAnswer = Static<typeof ScenarioAnswer>

const AnyRule = closedObject({
  on: onSchema(Type.String()),
  when: Type.Optional(
    closedObject({
      query: Type.Optional(Matchers),
      path: Type.Optional(Matchers),
      headers: Type.Optional(Matchers),
      body: Type.Optional(Type.Record(Type.String(), FieldMatcher)),
      token: Type.Optional(PlainMatcher),
      state: Type.Optional(
        Type.String({ description: "The state that the scenario must be in; it begins as 'Started'." }),
      ),
    }),
  ),
  times: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The number of calls that the rule answers before it is spent.' }),
  ),
  chance: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: "How likely the rule is to answer a call that matches, drawn from the sandbox's seed.",
    }),
  ),
  answer: Type.Optional(ScenarioAnswer),
  then: Type.Optional(
    Type.String({ minLength: 1, description: 'The state of the scenario once the rule has answered.' }),
  ),
  offContract: Type.Optional(
    Type.Boolean({
      description:
        'The answer departs from the contract on purpose: any status from 200 to 599, any body, any content type.',
    }),
  ),
})
export type Rule = Static<typeof AnyRule>

function onSchema<Id extends TSchema>(id: Id, options: SchemaOptions = {}) {
  return Type.Union([Type.Literal('*'), id, Type.Array(id, { minItems: 1 })], {
    description: "An operation id, a list of operation ids, or '*'.",
    ...options,
  })
}

export interface LocatedRule extends Omit<Rule, 'on' | 'answer'> {
  readonly on: '*' | readonly string[]
  readonly answer: ScenarioAnswer
  readonly place?: () => Promise<FilePlace>
}

const head = {
  $schema: Type.Optional(Type.String()),
  version: Type.Optional(Type.Literal(1)),
  description: Type.Optional(Type.String()),
  extends: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
}

const AnyScenario = Type.Object({ ...head, rules: Type.Optional(Type.Array(AnyRule)) })
export type ScenarioFile = Static<typeof AnyScenario>

const defined = {
  active: Type.Optional(
    Type.Boolean({ description: 'Whether the scenario is on; if left out, this does not change.' }),
  ),
  offWhenSpent: Type.Optional(
    Type.Boolean({
      description:
        'Puts the scenario before the others that are on, and switches it off once each of its rules has answered as often as it may.',
    }),
  ),
}
export type ScenarioDefinition = ScenarioFile & Static<TObject<typeof defined>>

export type ScenarioFormat = ReturnType<typeof scenarioFormat>

export function scenarioFormat(contracts: readonly Contract[]) {
  const ids = contracts.map(({ id }) => id)
  const on = onSchema(oneOf(ids), { 'x-allowed': `one of ${ids.join(', ')}, a list of these, or '*'` })
  const rule = closedObject({ ...AnyRule.properties, on })
  const file = { ...head, rules: Type.Optional(Type.Array(rule)) }
  return {
    contracts,
    rule,
    file: Type.Object(file, { title: 'countersign scenario', additionalProperties: false }),
    definition: closedObject({ ...file, ...defined }),
  }
}

export const DEFINING_KEYS: readonly string[] = [...Object.keys(head), 'rules', 'offWhenSpent']
