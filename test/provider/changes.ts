import type { Asked, Mutant, Told } from './mutating-provider.js'

/** What a provider does otherwise. */
export type Change = Pick<Mutant, 'ask' | 'tell'>
type Part = 'query' | 'form'
type When = (asked: Asked) => boolean
type Body = Told['body']

/** Mutants of an operation, or of all, as lines of a table. */
type Rows = readonly (readonly [cites: Mutant['cites'], name: string, change: Change])[]
export const mutantsOf = (operation: string | undefined, rows: Rows): Mutant[] =>
  rows.map(([cites, name, change]) => ({ name, cites, operation, ...change }))

/** Those that only a call shows that is carried out, or is complete but for this. */
export const shownByWrites = (operation: string, rows: Rows): Mutant[] =>
  mutantsOf(operation, rows).map((mutant) => ({ ...mutant, writes: true }))

/** Which calls. */
const always: When = () => true
export const hasToken: When = ({ headers }) => (headers.authorization ?? headers['user-token']) !== undefined
export const isKnown: When = ({ headers }) =>
  /token-(?:admin|member)/.test(`${headers.authorization}${headers['user-token']}`)
export const has = (part: Part, name: string) => (asked: Asked) => asked[part]?.has(name) === true
export const lacks = (part: Part, name: string) => (asked: Asked) => !has(part, name)(asked)
export const says = (part: Part, name: string, value: RegExp) => (asked: Asked) =>
  has(part, name)(asked) && value.test(String(asked[part]?.get(name)))
export const both = (one: When, other: When) => (asked: Asked) => one(asked) && other(asked)

/** Reads a call as if it were that of an admin, or as if it said something else. */
export const asAdmin = (when: When): Change => ({
  ask: (asked) => {
    if (!when(asked)) return
    delete asked.headers['user-token']
    asked.headers.authorization = 'Bearer token-admin'
  },
})
export const ignores = (part: Part, name: string, when = always): Change => ({
  ask: (asked) => when(asked) && asked[part]?.delete(name),
})
export const reads = (part: Part, name: string, value: string, when: When = has(part, name)): Change => ({
  ask: (asked) => when(asked) && asked[part]?.set(name, value),
})
export const assumes = (part: Part, name: string, value: string, when = always) =>
  reads(part, name, value, (asked) => lacks(part, name)(asked) && when(asked))

/** Answers calls with a known token by itself: with an error, or with success. */
export const refuses = (when: When, status: number, message?: string): Change => ({
  ask: (asked) => (isKnown(asked) && when(asked) ? refusal(status, message) : undefined),
})
export const succeeds = (when: When, body: object): Change => ({
  ask: (asked) => (isKnown(asked) && when(asked) ? { ...refusal(200), body } : undefined),
})
export const refusal = (status: number, message = 'Refused.'): Told => ({
  status,
  headers: ofType('application/json'),
  body: { error: { code: status, message } },
})
export const ofType = (type: string) => ({ 'content-type': type })

/** Tells otherwise what is returned: of all answers, of errors, of successes. */
type Otherwise = (told: Told, asked: Asked) => Partial<Told>
export const inAnswers = (change: Otherwise): Change => ({
  tell: (told, asked) => void Object.assign(told, change(told, asked)),
})
export const inErrors = (change: Otherwise) => inAnswers((told, asked) => (isSuccess(told) ? {} : change(told, asked)))
export const inSuccesses = (change: Otherwise) =>
  inAnswers((told, asked) => (isSuccess(told) ? change(told, asked) : {}))
const isSuccess = ({ status }: Told) => status >= 200 && status < 300

/** Gives one status in the place of another. */
export const instead = (from: number, to: number, body?: unknown) =>
  inAnswers(({ status }) => (status === from ? { status: to, ...(body !== undefined && { body }) } : {}))

/** Tells other fields of a success: of its body, of a part of it, of each object in a list there. */
export const inBody = (change: (body: Body, asked: Asked) => object | false) =>
  inSuccesses(({ body }, asked) => ({ body: { ...body, ...change(body, asked) } }))
export const inPart = (name: string) => (change: (part: Body, asked: Asked) => object | false) =>
  inBody(({ [name]: part }, asked) => ({ [name]: { ...part, ...change(part, asked) } }))
export const inEach = (list: string) => (change: (one: Body, at: number, all: Body[]) => object | false) =>
  inBody(({ [list]: all }) => ({
    [list]: all.map((one: Body, at: number) => ({ ...one, ...change(one, at, all) })),
  }))
