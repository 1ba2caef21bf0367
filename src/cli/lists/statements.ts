import { contracts } from '../../../schemas/contracts.js'
import { citationsIn } from '../../../schemas/ledger.js'
import { statements as ledger, type StatementId } from '../../../schemas/statements.js'
import { defineList } from './list.js'

/** The sentences of the API's document, and the operations that cite them. */
export const statements = defineList(
  () =>
    ledger.map((statement) => ({
      id: statement.id,
      text: statement.text,
      notShown: 'notShown' in statement,
      operations: operationsThatCite(statement.id),
    })),
  ({ id, text, notShown, operations }) => [[id, notShown ? 'not shown' : places(operations), text]],
)

function operationsThatCite(id: StatementId): string[] {
  const citing = contracts.filter((contract) => citationsIn(contract).some(({ cites }) => cites.includes(id)))
  return citing.map((contract) => contract.id)
}

const places = (operations: readonly string[]) =>
  operations.length === contracts.length ? 'all operations' : operations.join(', ')
