/** Imported lazily: few starts need a YAML parser. */
export { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, stringify } from 'yaml'
