import { contracts } from '../../../schemas/contracts.js'
import { defineList } from './list.js'

export const operations = defineList(
  () => contracts.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  ({ id, method, path, summary }) => [[id, method, path, summary]],
)
