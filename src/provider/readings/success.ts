import type { Contract } from '../../../schemas/contract.js'
import { statusIsOpen, wordsOf } from '../../../schemas/readings.js'
import type { Answer } from '../calls/send.js'
import { isSuccess, items, member, type Session } from '../checks/session.js'
import { shapeText } from '../shape.js'
import { isLabel, isSaidToAll } from './labels.js'
import { decided, type Evidence, type Learner, undecided } from './lesson.js'
import { evidenceOf, shownBy } from './shown.js'

async function successesOf({ client }: Session, contract: Contract): Promise<readonly Answer[]> {
  return (await client.answersOf(contract)).filter(isSuccess)
}

/** With which status operations succeed. */
const successStatus: Learner = {
  name: 'successStatus',
  learn: async (session) => {
    const evidence: Evidence[] = []
    const open = session.contracts.filter(statusIsOpen)
    for (const contract of open) {
      const successes = await successesOf(session, contract)
      const [one, ...others] = new Set(successes.map(({ status }) => status))
      if ((one === 200 || one === 201) && others.length === 0) evidence.push(evidenceOf(successes[0] as Answer, one))
    }
    if (evidence.length === 0) return undecided('No operation succeeded with 200 or 201.')
    return decided(...evidence)
  },
}

/** The words of success bodies, where they are the same each time and say nothing of anybody. */
const successWords: Learner = {
  name: 'successWords',
  learn: async (session) => {
    const evidence: Evidence[] = []
    for (const contract of session.contracts) {
      const successes = await successesOf(session, contract)
      const [first] = successes
      if (first === undefined) continue
      const found = wordsOf(contract).flatMap((name) => {
        const said = [...new Set(successes.map(({ body }) => member(body, name)))]
        const [only] = said
        const once = name === 'message' && successes.length < 2
        return said.length === 1 && typeof only === 'string' && !once && isOurs(name, only) ? [[name, only]] : []
      })
      if (found.length > 0)
        evidence.push({ operation: contract.id, value: Object.fromEntries(found), shown: shownBy(first) })
    }
    if (evidence.length === 0) return undecided('No operation succeeded with words that are the same for every user.')
    return decided(...evidence)
  },
}

function isOurs(name: string, text: string): boolean {
  return name === 'status' ? isLabel(text) || /^(?:[a-z_-]{2,24}|[A-Z_-]{2,24})$/.test(text) : isSaidToAll(text)
}

/** How precise timestamps are. */
const timestamps: Learner = {
  name: 'timestamps',
  learn: async (session) => {
    const seen: { readonly text: string; readonly evidence: Evidence }[] = []
    for (const contract of session.contracts) {
      for (const { body, status } of await successesOf(session, contract)) {
        const texts = [
          ...[member(body, 'document', 'verified_at')].map((text) => ({ name: 'verified_at', text })),
          ...items(member(body, 'histories')).map((one) => ({ name: 'created_at', text: member(one, 'created_at') })),
        ]
        for (const { name, text } of texts) {
          if (typeof text !== 'string') continue
          const shown = `${status} ${name}: ${shapeText(text)}`
          seen.push({ text, evidence: { operation: contract.id, value: undefined, shown } })
        }
      }
    }
    const precise = (is: RegExp) => seen.length > 0 && seen.every(({ text }) => is.test(text))
    const value = precise(/:\d\dZ$/) ? 'seconds' : precise(/\.\d{3}Z$/) ? 'milliseconds' : undefined
    if (value === undefined)
      return undecided(seen.length === 0 ? 'No timestamp was seen.' : 'Timestamps have another precision, or several.')
    return decided(...firstOfEach(seen.map(({ evidence }) => ({ ...evidence, value }))))
  },
}

/** The first evidence of each operation. */
function firstOfEach(all: readonly Evidence[]): Evidence[] {
  return [...new Map([...all].reverse().map((one) => [one.operation, one])).values()].reverse()
}

export const successLearners: readonly Learner[] = [successStatus, successWords, timestamps]
