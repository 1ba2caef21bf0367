import type { DataComplaint } from '../contract/complaint.js'
import { MAX_LEVELS, TOO_COMPLEX } from '../contract/json.js'
import { quote } from '../contract/wording.js'

/** An unquoted value or key that YAML changes: 0012 becomes 12. */
export interface LossyScalar extends Required<Pick<DataComplaint, 'path' | 'about'>> {
  readonly source: string
  readonly parsed: string
}

const OPTIONS = { prettyErrors: false, uniqueKeys: false, logLevel: 'error' } as const
/** The library takes two microseconds for each. */
const MAX_TOKENS = 250_000

/** @throws {Error} for a second document, and for content that would take seconds or the whole stack */
export async function composeYaml(text: string) {
  const { Composer, Lexer, Parser } = await import('./yaml.js')
  const parser = new Parser()
  const parts = []
  let tokens = 0
  for (const token of new Lexer().lex(text)) {
    parts.push(...parser.next(token))
    if (++tokens > MAX_TOKENS) throw new Error('The content is too long for YAML: write JSON')
    // Besides its levels, the stack holds the document and a scalar.
    if (parser.stack.length > MAX_LEVELS + 2) throw new Error(`The content ${TOO_COMPLEX}`)
  }
  parts.push(...parser.end())
  const { stackTraceLimit } = Error
  // The library makes an error for each mistake, and its stack takes most of the time.
  Error.stackTraceLimit = 0
  const [document, next] = new Composer(OPTIONS).compose(parts, true, text.length)
  Error.stackTraceLimit = stackTraceLimit
  if (next !== undefined) throw new Error(SECOND_DOCUMENT, { cause: next.range[0] })
  return document as NonNullable<typeof document>
}

const SECOND_DOCUMENT =
  'The file contains more than one document: remove the line ---, or write each document to its own file'

/**
 * The value of a parsed document. Unlike the library's `toJS`, it does not search the whole document for each alias.
 * @throws {Error} for an alias without an anchor, a repeated key, and too many nodes behind aliases
 */
export async function readNodes(contents: unknown) {
  const { isAlias, isMap, isNode, isScalar, isSeq } = await import('./yaml.js')
  const lossyScalars: LossyScalar[] = []
  const anchors = new Map<string, { readonly value: unknown; readonly size: number }>()
  let size = 0

  function readNode(node: unknown, path: DataComplaint['path'], about: LossyScalar['about'] = 'value'): unknown {
    const before = size++
    if (isAlias(node)) {
      const offset = node.range?.[0]
      const anchor = anchors.get(node.source)
      if (anchor === undefined)
        throw new Error(`There is no anchor &${node.source} before this alias`, { cause: offset })
      size += anchor.size
      if (size > MAX_TOKENS)
        throw new Error('With the values of its aliases, the content is too large', { cause: offset })
      return anchor.value
    }
    const value = isSeq(node) ? node.items.map((one, at) => readNode(one, [...path, at])) : readMapOrScalar(node, path)
    if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, { value, size: size - before })
    if (isScalar(node) && typeof value !== 'string' && node.source && String(value) !== node.source)
      lossyScalars.push({ path, about, source: node.source, parsed: String(value) })
    return value
  }

  function readMapOrScalar(node: unknown, path: DataComplaint['path']): unknown {
    if (!isMap(node)) return isScalar(node) ? node.value : null
    const entries = new Map<string, unknown>()
    for (const { key, value } of node.items) {
      const name = String(isScalar(key) ? key.value : readNode(key, path))
      if (isScalar(key)) readNode(key, [...path, name], 'key')
      const offset = isNode(key) ? key.range?.[0] : undefined
      if (entries.has(name)) throw new Error(`Duplicate key ${quote(name)}; remove one`, { cause: offset })
      entries.set(name, readNode(value, [...path, name]))
    }
    return Object.fromEntries(entries)
  }

  return { data: readNode(contents, []), lossyScalars }
}
