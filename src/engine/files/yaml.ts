/** The parts of the YAML reader in use; imported lazily, as few starts need it. */
export { isMap, isNode, isScalar, isSeq, parseDocument, stringify } from 'yaml'
