import type { Api } from '../../engine/api.js'
import type { Contract } from '../../engine/contract/contract.js'
import type { SwitchValues } from '../../engine/contract/switches.js'
import type { Shapes } from './interpretations/shapes.js'
import type { ReceivedAnswer } from './sender.js'
import type { OperationFacts, SwitchEvidence, VerifyFacts } from './session.js'
import type { OperationCheck, TestedOperation } from './tested-operation.js'

export interface VerifyDefinition extends VerifyFacts {
  readonly operations: Readonly<Record<string, OperationChecks | undefined>>
  readonly switches: Readonly<Record<string, SwitchComparison>>
  readonly help: {
    /** Completes the sentence `With --allow-writes, …`. */
    readonly writes: string
    readonly withoutPermission: string
  }
}

export interface OperationChecks extends OperationFacts {
  readonly checks?: readonly OperationCheck[]
}

export interface SwitchComparison {
  /** Operations that may have a value each; otherwise one holds for all. */
  readonly isByOperation?: (contract: Contract) => boolean
  /** For values that only several answers show. */
  readonly observe?: (operation: TestedOperation, answers: readonly ReceivedAnswer[]) => void
  /** The value that answers show under the configured one; by default, the configured value. */
  readonly shownValue?: (contract: Contract, values: SwitchValues, shapes: Shapes) => unknown
  /** True if the switch then has no value. */
  readonly isUnset?: (evidence: SwitchEvidence) => boolean
}

const NO_DEFINITION: VerifyDefinition = {
  operations: {},
  switches: {},
  vocabulary: [],
  shownByPaths: [],
  help: { writes: 'they get complete calls, too', withoutPermission: 'without the permission' },
}

export async function verifyDefinitionOf({ forTools }: Api): Promise<VerifyDefinition> {
  // Modules of the API export what a tool needs by the tool's name.
  const module = (await forTools.verify?.()) as { readonly verify: VerifyDefinition } | undefined
  return module?.verify ?? NO_DEFINITION
}
