/** Imported lazily: few starts need a parser. */
export { isAlias, isMap, isNode, isScalar, isSeq, parseDocument, stringify } from 'yaml'
