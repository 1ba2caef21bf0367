/** Imported lazily: few starts need a parser. */
export { isMap, isNode, isScalar, isSeq, parseDocument, stringify } from 'yaml'
