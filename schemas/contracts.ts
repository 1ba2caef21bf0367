import * as documented from './index.js'

export type DocumentedContract = (typeof documented)[keyof typeof documented]
export type OperationId = DocumentedContract['id']

/** In the document's order. */
export const contracts: readonly DocumentedContract[] = Object.values(documented).sort((a, b) => a.section - b.section)
