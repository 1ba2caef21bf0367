import type { Api } from '../../engine/api.js'
import type { Contract } from '../../engine/contract/contract.js'
import type { SwitchValues } from '../../engine/contract/switches.js'
import type { Shapes } from './interpretations/shapes.js'
import type { ReceivedAnswer } from './sender.js'
import type { OperationFacts, SwitchEvidence, VerifyFacts } from './session.js'
import type { OperationCheck, TestedOperation } from './tested-operation.js'

export interface VerifyKnowledge extends VerifyFacts {
  readonly operations: Readonly<Record<string, OperationKnowledge | undefined>>
  readonly switches: Readonly<Record<string, SwitchComparison>>
  readonly help: {
    /** What `--allow-writes` does, in words. */
    readonly writes: string
    /** The user whose calls get a 403, in words. */
    readonly withoutPermission: string
  }
}

export interface OperationKnowledge extends OperationFacts {
  readonly checks?: readonly OperationCheck[]
}

export interface SwitchComparison {
  /** The operations that may each have a value of their own; without it, one value holds for all. */
  readonly isByOperation?: (contract: Contract) => boolean
  /** Notes what all answers of an operation show together; checks note what single calls show. */
  readonly observe?: (operation: TestedOperation, answers: readonly ReceivedAnswer[]) => void
  /** The value in force for an operation, in the form in which answers show it; by default the switch's value. */
  readonly inForce?: (contract: Contract, values: SwitchValues, shapes: Shapes) => unknown
  /** True if an operation answers so while the switch has no value. */
  readonly isUnset?: (evidence: SwitchEvidence) => boolean
}

/** For an API of which only the contracts are known. */
const NOTHING: VerifyKnowledge = {
  operations: {},
  switches: {},
  vocabulary: [],
  shownByPaths: [],
  help: { writes: 'they get complete calls, too', withoutPermission: 'without the permission' },
}

export async function knowledgeOf({ forTools }: Api): Promise<VerifyKnowledge> {
  // The API's module for this tool exports it by the name of the tool.
  const module = (await forTools.verify?.()) as { readonly verify: VerifyKnowledge } | undefined
  return module?.verify ?? NOTHING
}
