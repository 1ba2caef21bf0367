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
    /** Completes the sentence `The token of a user …`. */
    readonly withoutPermission: string
  }
}

export interface OperationChecks extends OperationFacts {
  readonly checks?: readonly OperationCheck[]
}

export interface SwitchComparison {
  /** True if the operation may have its own value; by default, one value holds for all. */
  readonly mayDiffer?: (contract: Contract) => boolean
  /** Called with all answers of an operation, for a value that no single answer shows. */
  readonly observe?: (operation: TestedOperation, answers: readonly ReceivedAnswer[]) => void
  /** The value that answers would show with this configuration; by default, the configured value. */
  readonly expectedValue?: (contract: Contract, values: SwitchValues, shapes: Shapes) => unknown
  /** True if the answer is that of the mock without a configured value. */
  readonly isUnset?: (evidence: SwitchEvidence) => boolean
}

const NO_DEFINITION: VerifyDefinition = {
  operations: {},
  switches: {},
  vocabulary: [],
  provenByPaths: [],
  help: { writes: 'these operations get valid requests, too', withoutPermission: 'without the permission' },
}

export async function verifyDefinitionOf({ forTools }: Api): Promise<VerifyDefinition> {
  // The API's module for a tool exports one value, under the tool's name.
  const module = (await forTools.verify?.()) as { readonly verify: VerifyDefinition } | undefined
  return module?.verify ?? NO_DEFINITION
}
