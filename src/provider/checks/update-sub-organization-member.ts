import type { Cites } from '../../../schemas/cites.js'
import { ROLES } from '../../../schemas/resources.js'
import { quote } from '../../text/wording.js'
import { USER } from '../calls.js'
import type { Answer } from '../client.js'
import { isSuccess, member, type Operation } from '../session.js'
import type { Check } from './check.js'

const FIELDS = ['first_name', 'last_name', 'role'] as const
type Fields = Partial<Record<(typeof FIELDS)[number], string>>

const NEW_NAME = 'Countersign'
const ALL: Cites = ['S2.3', 'S2.4', 'S2.5', 'S2.6', 'S2.7', 'S2.8']

/** Updates the known member; each `nth` update is sent anew. */
export function update(on: Operation, form: Fields, nth: number): Promise<Answer> {
  return on.sendRequest({ ...on.complete, form }, { again: nth })
}

export function memberIn({ body }: Answer): Fields {
  const texts = FIELDS.map((name) => [name, member(body, 'data', name)] as const)
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string'))
}

export const updateSubOrganizationMember: readonly Check[] = [
  {
    cites: ALL,
    needs: 'writes',
    run: async (on) => {
      const { values } = on.session
      const before = await update(on, {}, 0)
      const otherwise = (status: number) => (status === on.contract.invalid ? ('I-10' as const) : undefined)
      const call = 'An update without a field'
      if (
        !on.expect(before, { cites: ['S2.6', 'S2.4', 'S2.5'], call, otherwise, needsData: true }) &&
        !isSuccess(before)
      )
        return
      const { subOrgMemberId: id = '' } = on.complete.params
      const named = values.given(on.contract).form as Fields | undefined
      const original = isSuccess(before) ? memberIn(before) : undefined
      // Unknown values cannot be restored: then only what the user named is written.
      if (original === undefined && named === undefined)
        return on.unchecked(ALL, `${call} is refused, so the member's original values are unknown. ${on.dataAdvice}`)
      compareId(on, before, id)
      const now: { fields: Fields } = { fields: original ?? {} }
      let isTouched = false
      try {
        let nth = 0
        for (const [fields, cites, call] of steps(original, named)) {
          isTouched = true
          const answer = await update(on, fields, ++nth)
          if (!on.expect(answer, { cites, call })) continue
          now.fields = { ...now.fields, ...fields }
          compareMember(on, answer, fields, now.fields, call)
        }
      } finally {
        if (isTouched && original !== undefined) await putBack(on, original)
        else if (isTouched) on.leaves(`member ${id} with ${inWords(now.fields)}; its original values are unknown`)
      }
    },
  },
]

function compareId(on: Operation, answer: Answer, sent: string): void {
  const id = member(answer.body, 'data', 'id')
  if (!isSuccess(answer) || typeof id !== 'number') return
  const message = `An update of member ${sent} is answered with member ${id}.`
  on.claim(String(id) === sent || !/^\d+$/.test(sent), { cites: ['S2.3', 'S2.8'], where: 'data.id', message })
}

type Step = readonly [fields: Fields, cites: Cites, call: string]

/** Updates one after the other: what is sent changes, and nothing else does. */
function steps(original: Fields | undefined, named: Fields | undefined): readonly Step[] {
  const { first_name = NEW_NAME, last_name = NEW_NAME } = named ?? {}
  const isFree = original !== undefined
  const ofFirst: Step[] = [
    [{ first_name }, ['S2.4', 'S2.6'], 'An update of only the first name'],
    [{}, ['S2.6'], 'An update without a field, after another update'],
  ]
  const { role } = original ?? {}
  const roles = ROLES.toSorted((one, other) => Number(one === role) - Number(other === role))
  return [
    ...(isFree || named?.first_name !== undefined ? ofFirst : []),
    ...(isFree || named?.last_name !== undefined
      ? [[{ last_name }, ['S2.4', 'S2.6'], 'An update of only the last name'] as Step]
      : []),
    ...(role === undefined ? [] : roles).flatMap((next): Step[] => [
      [{ role: next }, ['S2.5', 'S2.7'], `An update of only the role, to ${next}`],
      [{ first_name }, ['S2.4', 'S2.6'], `An update of only the first name, with the role ${next}`],
    ]),
  ]
}

function compareMember(on: Operation, answer: Answer, sent: Fields, due: Fields, call: string): void {
  const found = memberIn(answer)
  for (const name of FIELDS) {
    if (found[name] === undefined || due[name] === undefined) continue
    const cites: Cites = name in sent ? ['S2.6', name === 'role' ? 'S2.5' : 'S2.4'] : ['S2.6']
    const what = name in sent ? 'was sent, but has another value' : 'was not sent, but has changed'
    on.claim(found[name] === due[name], { cites, where: `data.${name}`, message: `${call}: '${name}' ${what}.` })
  }
}

/** Restores a member, and makes sure of it; else notes what it was. */
export async function putBack(on: Operation, original: Fields): Promise<void> {
  const { client } = on.session
  const { params } = on.complete
  const call = { ...on.complete, contract: on.contract, token: USER }
  const put = await client.insist({ ...call, form: original })
  // The answer may say otherwise than what took place.
  const now = put && (await client.insist({ ...call, form: {} }))
  const is = now !== undefined && isSuccess(now) ? memberIn(now) : undefined
  if (is !== undefined && FIELDS.every((name) => is[name] === original[name])) return
  const state = is === undefined ? 'its current values are unknown' : `it is now ${inWords(is)}`
  on.leaves(
    `member ${params.subOrgMemberId} of ${params.subOrganizationUuid}, which was ${inWords(original)}; ${state}`,
  )
}

function inWords(fields: Fields): string {
  const all = Object.entries(fields)
  return all.map(([name, value]) => `${name} ${quote(value)}`).join(', ')
}
