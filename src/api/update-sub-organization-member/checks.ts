import { Type } from '@sinclair/typebox'
import { ROLES } from '../../../schemas/resources.js'
import type { Cites } from '../../engine/contract/cites.js'
import { quote } from '../../engine/contract/wording.js'
import type { Texts } from '../../engine/judge/sample-call.js'
import { PLAIN, USER } from '../../tools/verify/calls.js'
import type { ReceivedAnswer } from '../../tools/verify/sender.js'
import { check, member, type OperationKnowledge, type TestedOperation } from '../../tools/verify/tested-operation.js'

const FIELDS = ['first_name', 'last_name', 'role'] as const
type MemberFields = Partial<Record<(typeof FIELDS)[number], string>>

function update(on: TestedOperation, form: MemberFields, nth: number): Promise<ReceivedAnswer> {
  return on.sendCall({ ...on.complete, form }, { again: nth })
}

function memberIn({ body }: ReceivedAnswer): MemberFields {
  const texts = FIELDS.map((name) => [name, member(body, 'data', name)] as const)
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string'))
}

async function changeAndRestore(on: TestedOperation): Promise<void> {
  const before = await update(on, {}, 0)
  const otherwise = { 'I-10': [400] }
  const call = 'An update without a field'
  on.expect(before, call, { cites: ['S2.6', 'S2.4', 'S2.5'], otherwise, needsData: true })
  if (!before.ok)
    return on.unchecked(`${call} is refused, so the member's original values are unknown. ${on.dataAdvice}`)
  const [id, sent = ''] = [member(before.body, 'data', 'id'), on.complete.params.subOrgMemberId]
  const isSame = String(id) === sent || !/^\d+$/.test(sent)
  const message = `An update of member ${sent} is answered with member ${id}.`
  if (typeof id === 'number') on.claim(isSame, 'data.id', message, { cites: ['S2.3', 'S2.8'] })
  try {
    await changeEachField(on, memberIn(before))
    await tryEmptyName(on)
  } finally {
    await restore(on, memberIn(before))
  }
}

async function changeEachField(on: TestedOperation, original: MemberFields): Promise<void> {
  const { first_name = 'Countersign', last_name = 'Countersign' } = on.session.data.given(on.contract).form ?? {}
  const first = { first_name }
  const roles = ROLES.toSorted((one, other) => Number(one === original.role) - Number(other === original.role))
  const steps: readonly (readonly [fields: MemberFields, cites: Cites, call: string])[] = [
    [first, ['S2.4', 'S2.6'], 'An update of only the first name'],
    [{}, ['S2.6'], 'An update without a field, after another update'],
    [{ last_name }, ['S2.4', 'S2.6'], 'An update of only the last name'],
    ...roles.flatMap((role) => [
      [{ role }, ['S2.5', 'S2.7'], `An update of only the role, to ${role}`] as const,
      [first, ['S2.4', 'S2.6'], `An update of only the first name, with the role ${role}`] as const,
    ]),
  ]
  let expected = original
  for (const [at, [sent, cites, call]] of steps.entries()) {
    const answer = await update(on, sent, at + 1)
    if (!on.expect(answer, call, { cites })) continue
    expected = { ...expected, ...sent }
    const found = memberIn(answer)
    for (const name of FIELDS.filter((one) => found[one] !== undefined && expected[one] !== undefined)) {
      const rule: Cites = name in sent ? ['S2.6', name === 'role' ? 'S2.5' : 'S2.4'] : ['S2.6']
      const mistake = name in sent ? 'was sent, but has another value' : 'was not sent, but has changed'
      on.claim(found[name] === expected[name], `data.${name}`, `${call}: '${name}' ${mistake}.`, { cites: rule })
    }
  }
}

/** An empty name is refused, or leaves the name as it was. */
async function tryEmptyName(on: TestedOperation): Promise<void> {
  const { first_name } = memberIn(await update(on, {}, 100))
  const answer = await update(on, { first_name: '' }, 101)
  const isKept = first_name !== undefined && memberIn(answer).first_name === first_name
  on.seesStatus('emptyName', answer, { 200: isKept ? 'absent' : undefined, invalid: 'invalid' })
}

/** Restores a member and makes sure of it; otherwise notes its original values. */
async function restore(on: TestedOperation, original: MemberFields): Promise<void> {
  const call = { ...on.complete, contract: on.contract, token: USER }
  const { sender } = on.session
  const restored = await sender.insist({ ...call, form: original })
  // The answer to an update may not tell what really happened.
  const now = restored && (await sender.insist({ ...call, form: {} }))
  const found = now?.ok ? memberIn(now) : undefined
  const lost = found && FIELDS.filter((name) => found[name] !== original[name])
  if (lost?.length === 0) return
  for (const name of (restored?.ok && lost) || [])
    on.claim(false, `data.${name}`, `'${name}' was sent as ${quote(original[name])}, but is ${quote(found?.[name])}.`, {
      cites: ['S2.8'],
    })
  const inWords = (fields: MemberFields) => FIELDS.map((name) => `${name} ${quote(fields[name])}`).join(', ')
  const state = found === undefined ? 'its current values are unknown' : `it is now ${inWords(found)}`
  const { subOrgMemberId, subOrganizationUuid } = on.complete.params
  on.session.left.add(`member ${subOrgMemberId} of ${subOrganizationUuid}, which was ${inWords(original)}; ${state}`)
}

const DEFAULT_FOREIGN = { subOrganizationUuid: 'e0c4a7d2-9f13-4b85-a6e8-3d5b1c7f9024', subOrgMemberId: '301' }

async function reachForeign(on: TestedOperation): Promise<void> {
  const { allowWrites, data } = on.session
  const foreign = data.given(on.contract).foreign as Texts | undefined
  const { subOrganizationUuid = '', subOrgMemberId = '' } = foreign ?? DEFAULT_FOREIGN
  const isKnown = foreign !== undefined || on.isDefault
  // Without --allow-writes, no existing member is named.
  const id = allowWrites && isKnown ? subOrgMemberId : data.unknownLike(subOrgMemberId)
  const answer = await on.sendCall({ ...on.complete, params: { subOrganizationUuid, subOrgMemberId: id }, form: {} })
  const isReached = isKnown && (allowWrites ? answer.ok : answer.status === 404)
  const reach = answer.status === 403 ? 'own' : isReached ? 'everywhere' : undefined
  on.sees('permissionReach', answer, reach)
  const advice = `Name a member of one with --data FILE: { ${on.contract.id}: { foreign: { subOrganizationUuid, subOrgMemberId } } }.`
  if (reach === undefined) on.unchecked(`No sub-organization of another organization is known there. ${advice}`)
}

export const updateSubOrganizationMember: OperationKnowledge = {
  checks: [
    check(['S2.3', 'S2.4', 'S2.5', 'S2.6', 'S2.7', 'S2.8'], changeAndRestore, 'writes'),
    check(['I-21'], reachForeign),
  ],
  data: {
    foreign: Type.Partial(Type.Object({ subOrganizationUuid: PLAIN, subOrgMemberId: PLAIN }), {
      additionalProperties: false,
    }),
  },
  record: 'member',
  emptyForm: 'I-10',
}
