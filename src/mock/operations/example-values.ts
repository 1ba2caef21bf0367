import type { CollectionName, RecordOf, User } from '../../../schemas/fixtures.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import type { State } from '../sandbox/state/state.js'
import { canAccessOrganization } from './handler.js'

/** Values for the parameters that name records, as the first user of a sandbox may use them. */
export function exampleValues({ state, firstUser: user }: Sandbox): Readonly<Record<string, string>> {
  const organization =
    first(state, 'organizations', ({ id }) => id === user?.organization_id) ?? first(state, 'organizations')
  const organizationOf = (subOrganization: string) =>
    state.collection('sub_organizations').get(subOrganization)?.organization_id
  const member =
    first(
      state,
      'sub_organization_members',
      (one) => organizationOf(one.sub_organization_uuid) === user?.organization_id,
    ) ?? first(state, 'sub_organization_members')
  const document = first(state, 'documents', (one) => one.status === 'verified' && one.user_uuid === user?.uuid)
  const project = first(state, 'projects', (one) => one.user_uuid === user?.uuid)
  const attachment = first(
    state,
    'attachments',
    (one) => one.project_uuid === project?.uuid && one.status === 'protected',
  )
  const found: Record<string, string | number | undefined> = {
    subOrganizationUuid: member?.sub_organization_uuid,
    subOrgMemberId: member?.id,
    code: document?.code,
    user_uuid: document?.user_uuid ?? user?.uuid,
    'keyword[sample_1]': attachment?.name.split(' ').at(-1),
    organization_uuid: organization?.uuid,
    'data[0][organization_id]': organization?.id,
    uuid: project?.uuid,
  }
  const known = Object.entries(found).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]))
}

const IDENTIFIERS = { organization_uuid: 'uuid', 'data[0][organization_id]': 'id' } as const

/** An organization that the user does not have, if that is the client's mistake (I-06, I-07, I-21). */
export function isUnusableOrganization(sandbox: Sandbox, user: User | undefined, name: string, value: string): boolean {
  if (!Object.hasOwn(IDENTIFIERS, name)) return false
  const { switches } = sandbox.settings
  const isMistake =
    name === 'organization_uuid' ? switches.unknownOrganization === 400 : switches.unknownInvitationOrganization === 400
  if (!isMistake || user === undefined) return false
  const identifier = IDENTIFIERS[name as keyof typeof IDENTIFIERS]
  const text = value.toLowerCase()
  const organization = first(sandbox.state, 'organizations', (one) => String(one[identifier]).toLowerCase() === text)
  return organization === undefined || !canAccessOrganization({ user, switches, sandbox }, organization.id)
}

function first<Name extends CollectionName>(
  state: State,
  name: Name,
  fits: (record: RecordOf<Name>) => boolean = () => true,
): RecordOf<Name> | undefined {
  return state.collection(name).all().find(fits)
}
