import { join } from 'node:path'
import { contracts, type DocumentedContract, type OperationId } from '../../schemas/contracts.js'
import { conventions, ErrorBody } from '../../schemas/conventions.js'
import { interpretations } from '../../schemas/interpretations.js'
import * as resources from '../../schemas/resources.js'
import { statements } from '../../schemas/statements.js'
import type { Api } from '../engine/api.js'
import type { OperationHandler } from '../engine/operation.js'
import type { Users } from '../engine/sandbox/sandbox.js'
import { asset, packageRoot } from '../package-root.js'
import { forTools } from './for-tools.js'
import type { Handler } from './handler-type.js'
import * as exportedHandlers from './handlers.js'
import { invitationRoutes } from './invitations/admin.js'
import { acceptDueInvitations, InvitationSettings } from './invitations/invitation.js'
import { invitationPage } from './invitations/page.js'
import { collections, type User, users } from './records.js'
import { signingPage } from './signing/page.js'
import { FlatErrorBody, switches } from './switches.js'

// biome-ignore lint/suspicious/noExplicitAny: only an operation knows the type of its `inspect`'s result.
type HandlerOf<Id extends OperationId> = Handler<Extract<DocumentedContract, { readonly id: Id }>, any>

/** A missing handler, or the handler of another contract, does not compile. */
const handlers: { readonly [Id in OperationId]: HandlerOf<Id> } & {
  readonly [Name in keyof typeof exportedHandlers]: Name extends OperationId ? HandlerOf<Name> : never
} = exportedHandlers

const apiUsers: Users<User> = {
  collection: users,
  token: ({ token }) => token,
  permissions: ({ permissions }) => permissions,
  row: ({ token, email, permissions }) => ({ token, email, permissions }),
  caller: ({ uuid, first_name, last_name }) => ({ uuid, first_name, last_name }),
}

// The list of roles is not a schema.
const { ROLES: _, ...resourceSchemas } = resources

const fixtures = join(packageRoot, 'fixtures')

export const api: Api = {
  name: 'Enterprise Document Signing and Protection API',
  // The types of the handlers are checked above.
  operations: contracts.map((contract) => ({ contract, ...(handlers[contract.id] as unknown as OperationHandler) })),
  sampleOutcome: 'addOrganizationMember:409',
  statements,
  interpretations,
  conventions,
  resources: { ...resourceSchemas, ErrorBody, FlatErrorBody },
  collections,
  users: apiUsers,
  switches,
  config: { invitations: InvitationSettings },
  pages: [invitationPage, signingPage],
  admin: [invitationRoutes],
  prepare: acceptDueInvitations,
  fixturesPath: fixtures,
  starterFolder: join(fixtures, 'starter'),
  sampleFiles: {
    'image/png': join(fixtures, 'files/signature.png'),
    'application/pdf': join(fixtures, 'files/verified.pdf'),
  },
  scenarios: () => JSON.parse(asset('scenarios.json')),
  bulk: async () => (await import('./seed.js')).bulkGenerators,
  forTools,
}
