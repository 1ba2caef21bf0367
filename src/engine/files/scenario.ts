import { type Static, Type } from '@sinclair/typebox'
import { contracts } from '../../../schemas/contracts.js'
import { GATEWAY_STATUSES, outcomeIdsOf } from '../contract/contract.js'
import { closedObject, oneOf } from '../contract/fields.js'

/** WireMock's names, plus TIMEOUT. */
export const FAULTS = [
  'CONNECTION_RESET_BY_PEER',
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
  'TIMEOUT',
] as const
export type Fault = (typeof FAULTS)[number]

/** Milliseconds. */
export const LONGEST_DELAY = 600_000

const OperationId = oneOf(contracts.map(({ id }) => id))
const milliseconds = (options = {}) => Type.Number({ minimum: 0, maximum: LONGEST_DELAY, ...options })

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

const Matcher = Type.Union([...plain, closedObject(conditions, { minProperties: 1 })])

const ofFile = (description: string) => Type.Optional(Type.Union([...Matcher.anyOf], { description }))

/** Of a file, a text is its name. */
const FieldMatcher = Type.Union([
  ...plain,
  closedObject(
    {
      ...conditions,
      filename: ofFile("A file's name, which a text alone compares as well."),
      size: ofFile("A file's size in bytes."),
      type: ofFile("A file's declared content type."),
      sha256: ofFile("A file's sha256 in lower-case hex."),
    },
    { minProperties: 1 },
  ),
])
export type Matcher = Static<typeof FieldMatcher>

const Matchers = Type.Record(Type.String(), Matcher)

const Delay = Type.Union([
  milliseconds({ description: 'Milliseconds.' }),
  closedObject({ uniform: closedObject({ lower: milliseconds(), upper: milliseconds() }) }),
  closedObject({
    lognormal: closedObject({
      median: Type.Number({ minimum: 1, maximum: LONGEST_DELAY }),
      sigma: Type.Number({ minimum: 0, maximum: 5 }),
    }),
  }),
])
export type Delay = Static<typeof Delay>

/** Names of headers (RFC 9110, section 5.6.2). */
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
      Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, description: 'A line each.' })]),
    ),
  ),
  delay: Type.Optional(Delay),
  dribble: Type.Optional(
    closedObject(
      { chunks: Type.Integer({ minimum: 1, maximum: 1_000 }), duration: milliseconds() },
      { description: 'Sends the body in so many pieces over so many milliseconds.' },
    ),
  ),
  fault: Type.Optional(
    oneOf(FAULTS, {
      description: 'How the connection fails; TIMEOUT lasts until the client gives up or the server closes.',
    }),
  ),
  effect: Type.Optional(
    oneOf(['none', 'after'], {
      description: '`after`: the operation takes place, then its answer is replaced or lost.',
    }),
  ),
  offContract: Type.Optional(Type.Boolean({ description: 'The same as next to `on`.', deprecated: true })),
})
export type ScenarioAnswer = Static<typeof ScenarioAnswer>

export const Rule = closedObject({
  on: Type.Union([Type.Literal('*'), OperationId, Type.Array(OperationId, { minItems: 1 })], {
    description: "An operation id, a list of them, or '*'.",
    'x-allowed': `one of ${contracts.map(({ id }) => id).join(', ')}, a list of these, or '*'`,
  }),
  when: Type.Optional(
    closedObject({
      query: Type.Optional(Matchers),
      path: Type.Optional(Matchers),
      headers: Type.Optional(Matchers),
      body: Type.Optional(Type.Record(Type.String(), FieldMatcher)),
      token: Type.Optional(Matcher),
      state: Type.Optional(
        Type.String({ description: "The state that the scenario must be in; it begins as 'Started'." }),
      ),
    }),
  ),
  times: Type.Optional(
    Type.Integer({ minimum: 1, description: 'How many calls the rule answers before it is spent.' }),
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
export type Rule = Static<typeof Rule>

export function isOffContract({ offContract, answer }: Pick<Rule, 'offContract' | 'answer'>): boolean {
  return offContract === true || answer?.offContract === true
}

/** Statuses without a body (RFC 9110). */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400
}

export const ScenarioFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    version: Type.Optional(Type.Literal(1)),
    description: Type.Optional(Type.String()),
    extends: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    rules: Type.Optional(Type.Array(Rule)),
  },
  { title: 'countersign scenario', additionalProperties: false },
)
export type ScenarioFile = Static<typeof ScenarioFile>

/** A scenario that a test or the dashboard defines. */
export const ScenarioDefinition = closedObject({
  ...ScenarioFile.properties,
  active: Type.Optional(
    Type.Boolean({ description: 'Whether the scenario is on; if left out, this does not change.' }),
  ),
  offWhenSpent: Type.Optional(
    Type.Boolean({
      description:
        'Puts the scenario before the others that are on, and switches it off once each of its rules has answered as often as it may.',
    }),
  ),
})
export type ScenarioDefinition = Static<typeof ScenarioDefinition>

/** Each outcome is also a scenario. */
export const outcomeIds: readonly string[] = outcomeIdsOf(contracts)
