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
  /** Operations that may each have another value; by default, one value holds for all. */
  readonly isByOperation?: (contract: Contract) => boolean
  /** Observes values that only several answers show. */
  readonly observe?: (operation: TestedOperation, answers: readonly ReceivedAnswer[]) => void
  /** The value that answers show with the configured switches; by default, the configured value. */
  readonly expectedValue?: (contract: Contract, values: SwitchValues, shapes: Shapes) => unknown
  /** True if the mock answers like this without a value. */
  readonly isUnset?: (evidence: SwitchEvidence) => boolean
}

const NO_DEFINITION: VerifyDefinition = {
  operations: {},
  switches: {},
  vocabulary: [],
  provenByPaths: [],
  help: { writes: 'they get complete calls, too', withoutPermission: 'without the permission' },
}

export async function verifyDefinitionOf({ forTools }: Api): Promise<VerifyDefinition> {
  // The module of the API exports its part for a tool under the tool's name.
  const module = (await forTools.verify?.()) as { readonly verify: VerifyDefinition } | undefined
  return module?.verify ?? NO_DEFINITION
}
