import type { Contract } from '../../../schemas/contract.js'
import { errorsAreOpen } from '../../../schemas/readings.js'
import type { Template } from '../../../schemas/template.js'
import { isObject } from '../../text/json.js'
import type { Answer } from '../calls/send.js'
import { isSuccess, type Session } from '../checks/session.js'
import { isLabel, plainNumber } from './labels.js'
import { decided, type Evidence, isSame, type Learner, undecided } from './lesson.js'
import { shownBy } from './shown.js'
import { type Places, templateOf } from './template-of.js'

/** What the errors of operations look like, where the document does not show it. */
export const errorBody: Learner = {
  name: 'errorBody',
  learn: async (session) => {
    const evidence: Evidence[] = []
    let why = 'No operation was answered with an error in JSON.'
    for (const contract of session.contracts.filter(errorsAreOpen)) {
      const errors = await errorsOf(session, contract)
      const [first] = errors
      if (first === undefined) continue
      const value = envelopeOf(errors)
      if (value === undefined)
        why = `The errors of ${contract.id} have nothing in common that a template could express.`
      else evidence.push({ operation: contract.id, value, shown: shownBy(first) })
    }
    return evidence.length === 0 ? undecided(why) : decided(...evidence)
  },
}

async function errorsOf({ client }: Session, contract: Contract): Promise<readonly Answer[]> {
  const answers = await client.answersOf(contract)
  return answers
    .filter((answer) => !isSuccess(answer) && answer.status >= 400 && isObject(answer.body))
    .sort((one, other) => one.status - other.status)
}

/** The envelope that some errors have in common: one that has a name, else a template; undefined where there is none. */
export function envelopeOf(errors: readonly Pick<Answer, 'status' | 'body'>[]): unknown {
  const message = messageKey(errors.map(({ body }) => body))
  const template = common(errors.map(({ status, body }) => templateOf(body, placesIn({ status, message }))))
  if (template === undefined || !/\{(?:message|status)\}/.test(JSON.stringify(template))) return undefined
  if (isSame(template, NESTED)) return 'nested'
  return isSame(template, FLAT) ? 'flat' : template
}

const FLAT: Template = { status: 'error', message: '{message}' }
const NESTED: Template = { error: { code: '{status}', message: '{message}' } }

/** Keys under which errors say for people what is wrong, the best first. */
const MESSAGE_KEYS = [
  'message',
  'detail',
  'error_description',
  'description',
  'msg',
  'reason',
  'title',
  'error',
  'errors',
]

/** The key of the message in some bodies: one that is known, else that of the longest sentence; undefined without one. */
function messageKey(bodies: readonly unknown[]): string | undefined {
  const texts = bodies.flatMap(textsIn)
  const keys = new Set(texts.map(({ key }) => key))
  const sentences = texts
    .filter(({ text }) => /\s/.test(text))
    .sort((one, other) => other.text.length - one.text.length)
  return MESSAGE_KEYS.find((key) => keys.has(key)) ?? sentences[0]?.key
}

/** The texts in a value, and in its lists, at any depth, each with its key in lower case. */
function textsIn(value: unknown): { readonly key: string; readonly text: string }[] {
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const texts = [inner].flat().filter((one) => typeof one === 'string')
    return texts.length > 0 ? texts.map((text) => ({ key: key.toLowerCase(), text })) : textsIn(inner)
  })
}

interface ErrorContext {
  readonly status: number
  /** The key of the message. */
  readonly message: string | undefined
}

/** What stands for a text of which only the type is kept. */
const TEXT = 'text'

/** What an error's body is made of: of other texts than the message no more is kept than words of APIs. */
function placesIn(context: ErrorContext): Places {
  return {
    text: (text, key) => textOf(text, context, key.toLowerCase()),
    number: (value) => (value === context.status ? '{status}' : plainNumber(value)),
  }
}

function textOf(text: string, { status, message }: ErrorContext, key: string): string {
  if (key === message) return '{message}'
  if (isLabel(text)) return text
  // Such as E404: alone, it would become a number.
  const prefixed = new RegExp(`^[A-Z_-]{1,8}${status}$`).test(text)
  return prefixed ? text.replace(String(status), '{status}') : TEXT
}

/** What all templates have; of texts that differ the type is kept, and what differs otherwise is left out. */
function common(templates: readonly Template[]): Template | undefined {
  const [first, ...others] = templates
  return others.reduce<Template | undefined>((one, other) => (one === undefined ? one : both(one, other)), first)
}

function both(one: Template, other: Template): Template | undefined {
  if (isSame(one, other)) return one
  if (typeof one === 'string' && typeof other === 'string') return TEXT
  if (typeof one === 'number' && typeof other === 'number') return 1
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length === other.length) return one.flatMap((inner, at) => both(inner, other[at] as Template) ?? [])
    const [a, b] = [one[0], other[0]] as [Template | undefined, Template | undefined]
    const inner = a === undefined || b === undefined ? (a ?? b) : both(a, b)
    return inner === undefined ? [] : [inner]
  }
  if (!isObject(one) || !isObject(other)) return undefined
  const entries = Object.entries(one as Record<string, Template>).flatMap(([key, inner]) => {
    const theirs = (other as Record<string, Template | undefined>)[key]
    const shared = theirs === undefined ? undefined : both(inner, theirs)
    return shared === undefined ? [] : [[key, shared] as const]
  })
  return Object.fromEntries(entries)
}
