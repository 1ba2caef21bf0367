import type { Cites } from '../../../schemas/cites.js'
import type { Contract } from '../../../schemas/contract.js'
import { successStatusOf } from '../../../schemas/contract.js'
import { ROLES } from '../../../schemas/resources.js'
import { quote } from '../../text/wording.js'
import { USER } from '../calls/call.js'
import type { Answer } from '../calls/send.js'
import type { OperationChecks } from './check.js'
import { judge } from './judge.js'
import { dataAdvice, isUnknownData, notThere } from './known-data.js'
import { isSuccess, member, type Session, sendRequest } from './session.js'

const FIELDS = ['first_name', 'last_name', 'role'] as const
type Fields = Partial<Record<(typeof FIELDS)[number], string>>

const NEW_NAME = 'Countersign'

/** Updates the member that is known, with other fields each time that `nth` is another number. */
export function update(session: Session, contract: Contract, form: Fields, nth: number): Promise<Answer> {
  return sendRequest(session, contract, { ...session.values.complete(contract), form }, { again: nth })
}

export function memberIn({ body }: Answer): Fields {
  const data = member(body, 'data')
  const texts = FIELDS.map((name) => [name, member(data, name)] as const)
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string'))
}

/** A member that is updated step by step: what is sent changes, and nothing else does. */
class Member {
  readonly #session: Session
  readonly #contract: Contract
  #calls = 0
  /** As it should be now. */
  now: Fields

  constructor(session: Session, contract: Contract, now: Fields) {
    this.#session = session
    this.#contract = contract
    this.now = now
  }

  /** Whether it may have been changed. */
  get touched(): boolean {
    return this.#calls > 0
  }

  /** Sends some fields, and compares what it is then. */
  async change(fields: Fields, cites: Cites, call: string): Promise<void> {
    const answer = await update(this.#session, this.#contract, fields, ++this.#calls)
    const expected = { status: successStatusOf(this.#contract), cites, call }
    if (!judge(this.#session, answer, expected)) return
    this.now = { ...this.now, ...fields }
    this.#compare(answer, fields, call)
  }

  #compare(answer: Answer, sent: Fields, call: string): void {
    const found = memberIn(answer)
    const { findings } = this.#session
    for (const name of FIELDS) {
      const [is, due] = [found[name], this.now[name]]
      if (is === undefined || due === undefined) continue
      const cites: Cites = name in sent ? ['S2.6', name === 'role' ? 'S2.5' : 'S2.4'] : ['S2.6']
      if (is === due) {
        findings.holds(cites, this.#contract.id)
        continue
      }
      const message = `${call}: '${name}' ${name in sent ? 'was sent, but has another value' : 'was not sent, but has changed'}.`
      findings.drifts({ cites, operation: this.#contract.id, where: `data.${name}`, message })
    }
  }
}

/** What the document says of members that are updated; at the end the member is as it was. */
export const updateSubOrganizationMember: OperationChecks = [
  {
    cites: ['S2.3', 'S2.4', 'S2.5', 'S2.6', 'S2.7', 'S2.8'],
    needs: 'writes',
    run: async (session, contract) => {
      const all: Cites = ['S2.3', 'S2.4', 'S2.5', 'S2.6', 'S2.7', 'S2.8']
      const before = await update(session, contract, {}, 0)
      if (isUnknownData(session, before)) return notThere(session, before, all)
      judge(session, before, {
        status: successStatusOf(contract),
        cites: ['S2.6', 'S2.4', 'S2.5'],
        call: 'An update without a field',
        otherwise: (status) => (status === contract.invalid ? 'I-10' : undefined),
        advice: dataAdvice(contract),
      })
      const { subOrgMemberId } = session.values.complete(contract).params
      // What is not known cannot be put back: then only what the user named is written.
      const original = isSuccess(before) ? memberIn(before) : undefined
      const given = session.values.given(contract).form as Fields | undefined
      if (original === undefined && given === undefined) {
        const message = `An update without a field is refused, so the member's original values are unknown. ${dataAdvice(contract)}`
        return session.findings.unchecked(all, contract.id, message)
      }
      if (isSuccess(before)) compareId(session, before, String(subOrgMemberId))
      const one = new Member(session, contract, original ?? {})
      try {
        await steps(one, original, given)
      } finally {
        if (one.touched && original !== undefined) await putBack(session, contract, original)
        else if (one.touched)
          session.findings.leaves(`member ${subOrgMemberId} with ${inWords(one.now)}; its original values are unknown`)
      }
    },
  },
]

function compareId({ findings }: Session, answer: Answer, sent: string): void {
  const id = member(answer.body, 'data', 'id')
  if (typeof id !== 'number') return
  if (String(id) === sent || !/^\d+$/.test(sent)) findings.holds(['S2.3', 'S2.8'], answer.call.contract.id)
  else
    findings.drifts({
      cites: ['S2.3', 'S2.8'],
      operation: answer.call.contract.id,
      where: 'data.id',
      message: `An update of member ${sent} is answered with member ${id}.`,
    })
}

async function steps(one: Member, original: Fields | undefined, given: Fields | undefined): Promise<void> {
  const { first_name = NEW_NAME, last_name = NEW_NAME } = given ?? {}
  if (original !== undefined || given?.first_name !== undefined) {
    await one.change({ first_name }, ['S2.4', 'S2.6'], 'An update of only the first name')
    await one.change({}, ['S2.6'], 'An update without a field, after another update')
  }
  if (original !== undefined || given?.last_name !== undefined)
    await one.change({ last_name }, ['S2.4', 'S2.6'], 'An update of only the last name')
  const { role } = original ?? {}
  if (role === undefined) return
  const others = ROLES.filter((other) => other !== role)
  for (const next of [...others, ...ROLES.filter((known) => known === role)]) {
    await one.change({ role: next }, ['S2.5', 'S2.7'], `An update of only the role, to ${next}`)
    await one.change({ first_name }, ['S2.4', 'S2.6'], `An update of only the first name, with the role ${next}`)
  }
}

/** Makes a member what it was, and makes sure of it; else notes what it was, and how to put it back. */
export async function putBack(session: Session, contract: Contract, original: Fields): Promise<void> {
  const request = { ...session.values.complete(contract), contract, token: USER }
  const put = await session.client.insist({ ...request, form: original })
  // The answer may say otherwise than what took place.
  const now = put && (await session.client.insist({ ...request, form: {} }))
  const is = now !== undefined && isSuccess(now) ? memberIn(now) : undefined
  if (is !== undefined && FIELDS.every((name) => is[name] === original[name])) return
  const state = is === undefined ? 'its current values are unknown' : `it is now ${inWords(is)}`
  session.findings.leaves(
    `member ${request.params.subOrgMemberId} of ${request.params.subOrganizationUuid}, which was ${inWords(original)}; ${state}`,
  )
}

function inWords(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name} ${quote(value)}`)
    .join(', ')
}
