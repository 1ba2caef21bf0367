import type { OperationChecks } from '../check.js'
import { errors } from './errors.js'
import { filter } from './filter.js'
import { pages } from './pages.js'
import { records } from './records.js'
import { sorting } from './sorting.js'

/** What the document says of credit histories. */
export const listCreditHistories: OperationChecks = [...pages, ...records, ...filter, ...sorting, ...errors]
