import type { Cites } from '../../../schemas/cites.js'
import { ROLES } from '../../../schemas/resources.js'
import { quote } from '../../text/wording.js'
import { USER } from '../calls.js'
import type { Answer } from '../sender.js'
import { isSuccess, member, type Operation } from '../session.js'
import { type Check, check, writing } from './check.js'

const FIELDS = ['first_name', 'last_name', 'role'] as const
type Fields = Partial<Record<(typeof FIELDS)[number], string>>

/** Updates the known member; each `nth` update is sent anew. */
function update(on: Operation, form: Fields, nth: number): Promise<Answer> {
  return on.sendRequest({ ...on.complete, form }, { again: nth })
}

function memberIn({ body }: Answer): Fields {
  const texts = FIELDS.map((name) => [name, member(body, 'data', name)] as const)
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string'))
}

const changes = writing(['S2.3', 'S2.4', 'S2.5', 'S2.6', 'S2.7', 'S2.8'], async (on, cites) => {
  const before = await update(on, {}, 0)
  const otherwise = { 'I-10': [on.contract.invalid] }
  const call = 'An update without a field'
  on.expect(before, call, ['S2.6', 'S2.4', 'S2.5'], { otherwise, needsData: true })
  if (!isSuccess(before))
    return on.unchecked(cites, `${call} is refused, so the member's original values are unknown. ${on.dataAdvice}`)
  const [id, sent = ''] = [member(before.body, 'data', 'id'), on.complete.params.subOrgMemberId]
  const isSame = String(id) === sent || !/^\d+$/.test(sent)
  const message = `An update of member ${sent} is answered with member ${id}.`
  if (typeof id === 'number') on.claim(isSame, ['S2.3', 'S2.8'], 'data.id', message)
  try {
    await runSteps(on, memberIn(before))
    await lookAtEmptyName(on, 100)
  } finally {
    await putBack(on, memberIn(before))
  }
})

/** Updates one field after the other: what is sent changes, and nothing else does. */
async function runSteps(on: Operation, original: Fields): Promise<void> {
  const { first_name = 'Countersign', last_name = 'Countersign' } = on.session.values.given(on.contract).form ?? {}
  const first = { first_name }
  const roles = ROLES.toSorted((one, other) => Number(one === original.role) - Number(other === original.role))
  const steps: readonly (readonly [fields: Fields, cites: Cites, call: string])[] = [
    [first, ['S2.4', 'S2.6'], 'An update of only the first name'],
    [{}, ['S2.6'], 'An update without a field, after another update'],
    [{ last_name }, ['S2.4', 'S2.6'], 'An update of only the last name'],
    ...roles.flatMap((role) => [
      [{ role }, ['S2.5', 'S2.7'], `An update of only the role, to ${role}`] as const,
      [first, ['S2.4', 'S2.6'], `An update of only the first name, with the role ${role}`] as const,
    ]),
  ]
  let due = original
  for (const [at, [sent, cites, call]] of steps.entries()) {
    const answer = await update(on, sent, at + 1)
    if (!on.expect(answer, call, cites)) continue
    due = { ...due, ...sent }
    const found = memberIn(answer)
    for (const name of FIELDS.filter((one) => found[one] !== undefined && due[one] !== undefined)) {
      const rule: Cites = name in sent ? ['S2.6', name === 'role' ? 'S2.5' : 'S2.4'] : ['S2.6']
      const what = name in sent ? 'was sent, but has another value' : 'was not sent, but has changed'
      on.claim(found[name] === due[name], rule, `data.${name}`, `${call}: '${name}' ${what}.`)
    }
  }
}

/** An empty name: whether it is refused, or leaves the name as it was. */
async function lookAtEmptyName(on: Operation, nth: number): Promise<void> {
  const { first_name } = memberIn(await update(on, {}, nth))
  const answer = await update(on, { first_name: '' }, nth + 1)
  const isKept = first_name !== undefined && memberIn(answer).first_name === first_name
  on.sees('emptyName', answer, isSuccess(answer) && !isKept ? undefined : on.invalidOr(answer, 'absent'))
}

const DEFAULT_FOREIGN = { subOrganizationUuid: 'e0c4a7d2-9f13-4b85-a6e8-3d5b1c7f9024', subOrgMemberId: '301' }

/** The reach of a caller: a member of another organization, or at least its sub-organization. */
const reach = check(['I-21'], async (on, cites) => {
  const { allowWrites, values } = on.session
  const { foreign } = values.given(on.contract)
  const { subOrganizationUuid = '', subOrgMemberId = '' } = foreign ?? DEFAULT_FOREIGN
  const isKnown = foreign !== undefined || on.isDefault
  // Without --allow-writes no existing member is named.
  const id = allowWrites && isKnown ? subOrgMemberId : values.unknownLike(subOrgMemberId)
  const params = { subOrganizationUuid, subOrgMemberId: id }
  const answer = await on.sendRequest({ ...on.complete, params, form: {} })
  const isReached = isKnown && (allowWrites ? isSuccess(answer) : answer.status === 404)
  on.sees('permissionReach', answer, answer.status === 403 ? 'own' : isReached ? 'everywhere' : undefined)
  const advice = `Name a member of one with --data FILE: { ${on.contract.id}: { foreign: { subOrganizationUuid, subOrgMemberId } } }.`
  if (answer.status !== 403 && !isReached)
    on.unchecked(cites, `No sub-organization of another organization is known there. ${advice}`)
})

/** Restores a member, and makes sure of it; else notes what it was. */
async function putBack(on: Operation, original: Fields): Promise<void> {
  const call = { ...on.complete, contract: on.contract, token: USER }
  const put = await on.session.sender.insist({ ...call, form: original })
  // The answer may say otherwise than what took place.
  const now = put && (await on.session.sender.insist({ ...call, form: {} }))
  const is = now !== undefined && isSuccess(now) ? memberIn(now) : undefined
  if (is !== undefined && FIELDS.every((name) => is[name] === original[name])) return
  const inWords = (fields: Fields) => FIELDS.map((name) => `${name} ${quote(fields[name])}`).join(', ')
  const state = is === undefined ? 'its current values are unknown' : `it is now ${inWords(is)}`
  const { subOrgMemberId, subOrganizationUuid } = on.complete.params
  on.leaves(`member ${subOrgMemberId} of ${subOrganizationUuid}, which was ${inWords(original)}; ${state}`)
}

export const updateSubOrganizationMember: readonly Check[] = [changes, reach]
