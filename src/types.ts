import type { OperationId, Operations } from '../schemas/plain.js'

export type * from '../schemas/plain.js'
export type { RequestFilter, ScenarioName } from './api/sandbox-handle.js'

/**
 * The content of a request of an operation: `params`, `query` and `form`, as far as the operation has them.
 * @example type Invitation = RequestOf<'addOrganizationMember'>['form']
 */
export type RequestOf<Id extends OperationId> = Operations[Id]['request']

/**
 * The body of an operation's answer with a declared status.
 * @example type Page = ResponseOf<'listCreditHistories', 200>
 */
export type ResponseOf<
  Id extends OperationId,
  Status extends keyof Operations[Id]['responses'],
> = Operations[Id]['responses'][Status]
