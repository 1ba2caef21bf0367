import type {
  Fixtures,
  FixturesPatch,
  GatewayOutcome,
  Invitation,
  OperationId,
  OutcomeId,
  ScenarioDefinition,
  ShippedScenario,
} from '../../schemas/plain.js'
import { quote } from '../engine/contract/wording.js'
import type { Message } from '../engine/sandbox/mail/outbox.js'
import type { AdminApi } from '../tools/integrations/admin-api.js'
import type { ExchangeFilter, HandlePart, SandboxHandle, ServerControl } from '../tools/integrations/mock-server.js'

/** The name of an outcome, a gateway status or a shipped scenario. Files and tests can define others. */
export type ScenarioName = OutcomeId | GatewayOutcome | ShippedScenario

/** Selects exchanges of a journal; a property that is left out matches any exchange. */
export interface RequestFilter extends ExchangeFilter<OperationId> {}

/** An invitation's mail in the outbox. */
export interface InvitationMail extends Message {
  /** The URLs of the buttons in the mail. */
  readonly links: { readonly accept: string; readonly decline: string }
}

interface WithInvitations {
  /** The invitations that this sandbox has sent; accept or decline them in place of the invitee. */
  readonly invitations: {
    /** Returns all invitations. */
    all(): Promise<readonly Invitation[]>
    /**
     * Accepts the pending invitation to an address. The invitee becomes a member.
     * @throws {Error} if no invitation to the address is pending
     */
    accept(email: string): Promise<Invitation>
    /**
     * Declines the pending invitation to an address.
     * @throws {Error} if no invitation to the address is pending
     */
    decline(email: string): Promise<Invitation>
  }
}

export interface ApiTypes {
  readonly operation: OperationId
  readonly outcome: OutcomeId
  readonly scenario: ScenarioName
  readonly definition: ScenarioDefinition
  readonly fixtures: Fixtures
  readonly patch: FixturesPatch
  readonly message: InvitationMail
  readonly extras: WithInvitations
}

/** One sandbox of a server, or the root. */
export interface MockSandbox extends SandboxHandle<ApiTypes>, WithInvitations {}

/** A server, in this process or elsewhere: its root sandbox, and its sandboxes. */
export interface MockServer extends MockSandbox, ServerControl<MockSandbox> {}

export const handlePart: HandlePart<ApiTypes> = {
  firstToken: async (admin) => {
    const { users = [] } = await admin.get<Fixtures>('/state', { collection: 'users' })
    return users[0]?.token ?? ''
  },
  extras: (admin) => ({
    invitations: {
      all: () => allInvitations(admin),
      accept: (email) => answerInvitation(admin, email, 'accept'),
      decline: (email) => answerInvitation(admin, email, 'decline'),
    },
  }),
}

async function allInvitations(admin: AdminApi): Promise<readonly Invitation[]> {
  const { invitations = [] } = await admin.get<Fixtures>('/state', { collection: 'invitations' })
  return invitations
}

async function answerInvitation(admin: AdminApi, email: string, event: 'accept' | 'decline'): Promise<Invitation> {
  const isPending = (one: Invitation) => one.status === 'pending' && one.email.toLowerCase() === email.toLowerCase()
  const pending = (await allInvitations(admin)).find(isPending)
  const notFound = `There is no pending invitation to ${quote(email)}. Call addOrganizationMember in this sandbox first.`
  if (pending === undefined) throw new Error(notFound)
  return { ...pending, ...(await admin.send<Partial<Invitation>>('POST', `/invitations/${pending.id}/${event}`)) }
}
