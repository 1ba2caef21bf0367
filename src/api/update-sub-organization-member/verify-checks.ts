import { ROLES } from '../../../schemas/resources.js'
import type { Cites } from '../../engine/contract/cites.js'
import { valueAt } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import type { OperationChecks } from '../../tools/verify/definition.js'
import type { ReceivedAnswer } from '../../tools/verify/sender.js'
import type { TestedOperation } from '../../tools/verify/tested-operation.js'

const FIELDS = ['first_name', 'last_name', 'role'] as const
type MemberFields = Partial<Record<(typeof FIELDS)[number], string>>

function update(operation: TestedOperation, form: MemberFields, nth: number): Promise<ReceivedAnswer> {
  return operation.sendCall({ ...operation.sampleCall, form }, { attempt: nth })
}

function memberIn({ body }: ReceivedAnswer): MemberFields {
  const texts = FIELDS.map((name) => [name, valueAt(body, 'data', name)] as const)
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string'))
}

async function changeAndRestore(operation: TestedOperation): Promise<void> {
  const before = await update(operation, {}, 0)
  const alsoAllowed = { 'I-10': [400] }
  const call = 'An update without a field'
  const original = memberIn(before)
  const unseen = FIELDS.filter((name) => original[name] === undefined)
  const whyUnproven =
    unseen.length === 0 ? undefined : `The answer shows no ${unseen.join(', ')}, so a change could not be undone.`
  operation.expect(before, call, { cites: ['S2.6', 'S2.4', 'S2.5'], alsoAllowed, whyUnproven })
  if (!before.ok)
    return operation.reportUnchecked(
      `${call} failed, so the member's original values are unknown. ${operation.dataAdvice}`,
    )
  const [id, sent = ''] = [valueAt(before.body, 'data', 'id'), operation.sampleCall.params.subOrgMemberId]
  const isSame = String(id) === sent || !/^\d+$/.test(sent)
  const message = `An update of member ${sent} is answered with member ${id}.`
  if (typeof id === 'number') operation.assert(isSame, 'data.id', message, { cites: ['S2.3', 'S2.8'] })
  if (whyUnproven !== undefined) return operation.reportUnchecked(whyUnproven)
  try {
    await changeEachField(operation, original)
  } finally {
    await restore(operation, original)
  }
}

async function changeEachField(operation: TestedOperation, original: MemberFields): Promise<void> {
  const { contract, session } = operation
  const { first_name = 'Countersign', last_name = 'Countersign' } = session.data.dataFor(contract).form ?? {}
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
    const answer = await update(operation, sent, at + 1)
    if (!operation.expect(answer, call, { cites })) continue
    expected = { ...expected, ...sent }
    const actual = memberIn(answer)
    for (const name of FIELDS.filter((one) => actual[one] !== undefined && expected[one] !== undefined)) {
      const rule: Cites = name in sent ? ['S2.6', name === 'role' ? 'S2.5' : 'S2.4'] : ['S2.6']
      const mistake = name in sent ? 'differs from the value sent' : 'was not sent, but has changed'
      const message = `${call}: '${name}' ${mistake}.`
      operation.assert(actual[name] === expected[name], `data.${name}`, message, { cites: rule })
    }
  }
}

/** Restores a member and checks the result; on failure, records the original values. */
async function restore(operation: TestedOperation, original: MemberFields): Promise<void> {
  const { sampleCall, session } = operation
  const restored = await operation.restore({ ...sampleCall, form: original })
  if (restored === undefined)
    session.unavailable.add(`${operation.contract.id} is unavailable: a member was not restored.`)
  else operation.expect(restored, 'An update of all fields', { cites: ['S2.4', 'S2.5'] })
  // The answer may be wrong, so an empty update reads the member again.
  const answer = restored && (await operation.restore({ ...sampleCall, form: {} }))
  const current = answer?.ok ? memberIn(answer) : undefined
  const changed = current && FIELDS.filter((name) => current[name] !== original[name])
  if (changed?.length === 0) return
  for (const name of (restored?.ok && changed) || []) {
    const message = `'${name}' was sent as ${quote(original[name])}, but is ${quote(current?.[name])}.`
    operation.assert(false, `data.${name}`, message, { cites: ['S2.8'] })
  }
  const describe = (fields: MemberFields) => FIELDS.map((name) => `${name} ${quote(fields[name])}`).join(', ')
  const state = current === undefined ? 'its current values are unknown' : `it is now ${describe(current)}`
  const { subOrgMemberId, subOrganizationUuid } = sampleCall.params
  session.leftovers.add(`member ${subOrgMemberId} of ${subOrganizationUuid}, which was ${describe(original)}; ${state}`)
}

export const updateSubOrganizationMember: OperationChecks = {
  checks: [{ cites: ['S2.3', 'S2.4', 'S2.5', 'S2.6', 'S2.7', 'S2.8'], needs: 'writes', run: changeAndRestore }],
  record: 'member',
  emptyFormCite: 'I-10',
}
