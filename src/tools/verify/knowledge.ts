import type { OperationId } from '../../../schemas/contracts.js'
import * as operations from '../../api/checks.js'
import type { OperationKnowledge } from './tested-operation.js'

/** A name that is no operation's does not compile. */
const named: {
  readonly [Name in keyof typeof operations]: Name extends OperationId ? OperationKnowledge : never
} = operations

export const knowledge: Readonly<Record<string, OperationKnowledge | undefined>> = named
