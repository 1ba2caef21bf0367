import { basisOf, type Cites } from '../../../schemas/cites.js'
import type { Contract } from '../../../schemas/contract.js'
import { isGatewayStatus } from '../../../schemas/gateway.js'
import type { SwitchName } from '../../../schemas/interpretations.js'
import type { Readings } from '../../../schemas/readings.js'
import { undeclaredStatus } from '../../validation/deviations.js'
import type { Answer } from '../calls/send.js'
import { Findings } from '../checks/findings.js'
import { judgeBody } from '../checks/judge.js'
import { seenIn } from '../learned-file.js'
import { compareLessons } from '../readings/index.js'
import { interpretationOf, type Lesson } from '../readings/lesson.js'
import type { Verification } from '../verify.js'
import { samplesOf } from './sample.js'
import type { Shape } from './shape.js'
import type { Snapshot } from './snapshot.js'

/** Holds the mock, with the readings in force, against what was seen of a provider. */
export function verifyAgainst(snapshot: Snapshot, readings: Readings, contracts: readonly Contract[]): Verification {
  const findings = new Findings()
  for (const contract of contracts) {
    compareWords(findings, contract, snapshot)
    for (const [status, seen] of Object.entries(snapshot.answers[contract.id] ?? {})) {
      const head = { contract, status: Number(status), contentType: seen.contentType }
      compareStatus(findings, contract, Number(status))
      if (seen.body === undefined) compare(findings, head, '')
      else for (const body of samplesOf(seen.body, Number(status))) compare(findings, head, JSON.stringify(body))
    }
  }
  const chosen = contracts.map(({ id }) => id)
  for (const { operation, where, cites } of snapshot.departures.filter((one) => chosen.includes(one.operation))) {
    // What a shape shows is told already.
    const known = findings.all.some(
      (one) => one.state === 'drift' && one.operation === operation && one.where === where,
    )
    const message = 'It departed from the document when the snapshot was recorded.'
    if (!known) findings.drifts({ cites, operation, where, message })
  }
  const lessons = lessonsOf(snapshot, chosen)
  compareLessons({ contracts, findings }, lessons, readings)
  return {
    findings,
    contracts,
    unavailable: [],
    lessons,
    answers: [],
    silence: 'A snapshot contains only shapes, which do not show it.',
  }
}

/** A word that the document, or a reading, has at a place of a success. */
interface Word {
  readonly operation: string
  readonly path: readonly string[]
  readonly cites: Cites
  /** Whether the words that were seen are as they should be; none were where they are no words of APIs. */
  readonly fits: (seen: readonly string[]) => boolean
  readonly message: string
}

const WORDS: readonly Word[] = [
  {
    operation: 'verifyDocument',
    path: ['status'],
    cites: ['S3.7'],
    fits: (seen) => seen.every((one) => one === 'verified'),
    message: "The status of a success must be 'verified'.",
  },
  {
    operation: 'searchProtectedAttachments',
    path: ['data', '*', 'status'],
    cites: ['S4.8'],
    fits: (seen) => seen.includes('protected'),
    message: "The value 'protected' does not occur.",
  },
  {
    operation: 'listCreditHistories',
    path: ['histories', '*', 'type'],
    cites: ['I-06'],
    fits: (seen) => seen.every((one) => ['purchase', 'allocation', 'return', 'free_credit'].includes(one)),
    message: 'There are kinds other than ours.',
  },
]

function compareWords(findings: Findings, contract: Contract, snapshot: Snapshot): void {
  const success = Object.entries(snapshot.answers[contract.id] ?? {}).find(([status]) => status.startsWith('2'))?.[1]
  for (const { operation, path, cites, fits, message } of WORDS) {
    if (operation !== contract.id) continue
    const place = path.reduce<Shape | undefined>(
      (shape, name) => (name === '*' ? shape?.items : shape?.properties?.[name]),
      success?.body,
    )
    if (place?.values === undefined) continue
    const found = { cites, operation, where: path.join('.').replaceAll('.*', '[*]'), message }
    if (fits(place.values)) findings.holds(cites, operation)
    else if (basisOf(cites) === 'documented') findings.drifts(found)
    else findings.differs(found)
  }
}

/** Another status of an error is told where the document has it: for what calls it was given is not kept. */
function compareStatus(findings: Findings, contract: Contract, status: number): void {
  const isDeclared = status in contract.responses
  if (status === 500 && !isDeclared) {
    const { cites } = undeclaredStatus(contract, status)
    const message = `${contract.id} was answered with 500, which the document does not list for it.`
    return findings.drifts({ cites, operation: contract.id, where: 'status', message })
  }
  const undeclared = isDeclared || isGatewayStatus(contract, status) ? undefined : undeclaredStatus(contract, status)
  if (undeclared === undefined) {
    const cites = contract.responses[status]?.cites ?? contract.cites
    if (basisOf(cites) === 'documented') findings.holds(cites, contract.id)
    return
  }
  const found = { operation: contract.id, where: 'status', message: undeclared.message }
  if (undeclared.basis === 'documented' && status < 300) return findings.drifts({ ...found, cites: undeclared.cites })
  const reading: Cites = undeclared.basis === 'reading' ? undeclared.cites : ['I-03']
  findings.differs({ ...found, cites: reading })
}

function compare(
  findings: Findings,
  {
    contract,
    status,
    contentType,
  }: { readonly contract: Contract; readonly status: number; readonly contentType: string },
  text: string,
): void {
  const call: Answer['call'] = { contract, token: null, params: {}, query: {}, form: null }
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  judgeBody({ findings }, { call, status, contentType, location: null, retryAfter: null, text, body })
}

function lessonsOf(snapshot: Snapshot, chosen: readonly string[]): Lesson[] {
  const seen = seenIn(snapshot).filter(({ operation }) => chosen.includes(operation))
  const names = [...new Set(seen.map((one) => one.switch))] as SwitchName[]
  return names.map((name) => ({
    name,
    interpretation: interpretationOf(name),
    evidence: seen.filter((one) => one.switch === name),
  }))
}
