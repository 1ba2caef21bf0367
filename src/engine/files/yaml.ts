/** Imported lazily: few starts need a YAML parser. */
export { Composer, isAlias, isMap, isNode, isScalar, isSeq, Lexer, Parser, parseDocument, stringify } from 'yaml'
