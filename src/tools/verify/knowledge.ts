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
    /** Completes the sentence `With --allow-writes, …`. */
    readonly writes: string
    readonly withoutPermission: string
  }
}

export interface OperationKnowledge extends OperationFacts {
  readonly checks?: readonly OperationCheck[]
}

export interface SwitchComparison {
  /** Operations that may have a value each; otherwise one holds for all. */
  readonly isByOperation?: (contract: Contract) => boolean
  /** For values that only several answers show. */
  readonly observe?: (operation: TestedOperation, answers: readonly ReceivedAnswer[]) => void
  /** The value as answers show it, if that is not the switch's own. */
  readonly inForce?: (contract: Contract, values: SwitchValues, shapes: Shapes) => unknown
  /** True if the switch then has no value. */
  readonly isUnset?: (evidence: SwitchEvidence) => boolean
}

const NOTHING: VerifyKnowledge = {
  operations: {},
  switches: {},
  vocabulary: [],
  shownByPaths: [],
  help: { writes: 'they get complete calls, too', withoutPermission: 'without the permission' },
}

export async function knowledgeOf({ forTools }: Api): Promise<VerifyKnowledge> {
  // Modules of the API export a tool's knowledge by the tool's name.
  const module = (await forTools.verify?.()) as { readonly verify: VerifyKnowledge } | undefined
  return module?.verify ?? NOTHING
}
