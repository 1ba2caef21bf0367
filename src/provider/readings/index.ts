import { sampleBody } from '../../../schemas/bodies.js'
import { type Contract, isSuccess, statusesOf, successStatusOf } from '../../../schemas/contract.js'
import { defaultReadings, type Readings, switchText } from '../../../schemas/readings.js'
import { quote } from '../../text/wording.js'
import { Unavailable } from '../calls/client.js'
import type { Session } from '../checks/session.js'
import { envelopeOf, errorBody } from './error-body.js'
import { type Evidence, interpretationOf, isSame, type Learner, type Lesson } from './lesson.js'
import { requestLearners } from './requests.js'
import { successLearners } from './success.js'
import { isUsual } from './value.js'
import { templateSeen, writeLearners } from './writes.js'

/** How each switch is found out, in the order in which little is asked before much. */
const learners: readonly Learner[] = [...requestLearners, ...writeLearners, errorBody, ...successLearners]

/** What a provider shows of every switch. */
export async function lessonsFrom(session: Session): Promise<readonly Lesson[]> {
  const lessons: Lesson[] = []
  for (const { name, needs, learn } of learners) {
    const head = { name, interpretation: interpretationOf(name) }
    if (needs === 'writes' && !session.allowWrites)
      lessons.push({ ...head, evidence: [], undecided: 'It needs --allow-writes.' })
    else lessons.push({ ...head, ...(await unlessUnavailable(learn(session))) })
  }
  return lessons
}

async function unlessUnavailable(
  learned: ReturnType<Learner['learn']>,
): Promise<Awaited<ReturnType<Learner['learn']>>> {
  try {
    return await learned
  } catch (error) {
    if (error instanceof Unavailable) return { evidence: [], undecided: error.message }
    throw error
  }
}

/** Notes where a provider shows other values than those in force. */
export function compareLessons(session: Session, lessons: readonly Lesson[], readings: Readings): void {
  for (const lesson of lessons) {
    const { interpretation, evidence, undecided } = lesson
    if (undecided !== undefined) session.findings.unchecked([interpretation], '', undecided)
    else if (lesson.name === 'successWords') compareWords(session, lesson)
    else for (const one of evidence) compare(session, lesson, one, inForceFor(session, lesson, one.operation, readings))
  }
}

function compare({ findings }: Session, lesson: Lesson, { operation, value, shown }: Evidence, inForce: unknown): void {
  const { name, interpretation } = lesson
  const theirs = name === 'missingUserType' && isUsual(lesson.evidence) ? undefined : value
  if (isSame(theirs, inForce) || isSame(value, inForce)) return findings.holds([interpretation], operation)
  const [there, here] = [theirs, inForce].map((one) => switchText(name, one))
  findings.differs({
    cites: [interpretation],
    operation,
    where: name,
    message: `${there} there, but ${here} here: the answer is ${shown}.`,
    switch: name,
  })
}

/** The value of a switch for one operation. */
function inForceFor({ contracts }: Session, { name }: Lesson, operation: string, readings: Readings): unknown {
  const value = readings[name] as unknown
  if (name === 'errorBody') return envelopeSeen(contracts.find(({ id }) => id === operation) as Contract)
  if (name === 'signingLinkBody') return templateSeen(readings.signingLinkBody)
  if (name === 'successStatus' && typeof value === 'object')
    return (value as Readonly<Record<string, unknown>>)[operation] ?? defaultReadings.successStatus
  return value
}

/** What the errors of an operation would be learned as: of templates that say other words, the same is seen. */
function envelopeSeen(contract: Contract): unknown {
  const errors = statusesOf(contract).filter((status) => !isSuccess(contract.responses[status]))
  return envelopeOf(errors.map((status) => ({ status, body: sampleBody(contract, status) })))
}

/** Messages are for people: that they are others is told, and does not count. */
function compareWords(session: Session, { name, interpretation, evidence }: Lesson): void {
  for (const { operation, value } of evidence) {
    const contract = session.contracts.find(({ id }) => id === operation) as Contract
    const response = contract.responses[successStatusOf(contract)]
    const sample = isSuccess(response) ? response.example : undefined
    for (const [word, theirs] of Object.entries(value as Readonly<Record<string, string>>)) {
      const ours = (sample as Readonly<Record<string, unknown>> | undefined)?.[word]
      if (ours === theirs) session.findings.holds([interpretation], operation)
      else
        session.findings.differs({
          cites: [interpretation],
          operation,
          where: word,
          message: `${quote(theirs)} there, but ${quote(ours)} here.`,
          ...(word === 'status' && { switch: name }),
        })
    }
  }
}
