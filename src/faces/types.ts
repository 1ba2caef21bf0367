import type { OperationId, Operations } from '../../schemas/plain.js'

export type * from '../../schemas/plain.js'
export type { RequestFilter, ScenarioName } from '../server/world-handle.js'

/**
 * What a request of an operation holds: `params`, `query` and `form` or `json`, as far as it has them.
 * @example type Invitation = RequestOf<'addOrganizationMember'>['form']
 */
export type RequestOf<Id extends OperationId> = Operations[Id]['request']

/**
 * The body of an operation's answer with a status that the operation declares.
 * @example type Page = ResponseOf<'listCreditHistories', 200>
 */
export type ResponseOf<
  Id extends OperationId,
  Status extends keyof Operations[Id]['responses'],
> = Operations[Id]['responses'][Status]
