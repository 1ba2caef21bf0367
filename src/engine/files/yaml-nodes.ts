import type { DataComplaint } from '../contract/complaint.js'
import { MAX_LEVELS, TOO_COMPLEX } from '../contract/json.js'
import { quote } from '../contract/wording.js'

/** An unquoted value that YAML changes: 0012 becomes 12. */
export interface LossyScalar extends Pick<DataComplaint, 'path'> {
  readonly source: string
  readonly parsed: string
}

export class YamlMistake extends Error {
  constructor(
    message: string,
    readonly offset?: number,
  ) {
    super(message)
  }
}

const OPTIONS = { prettyErrors: false, uniqueKeys: false, logLevel: 'error' } as const
/** Characters and tokens that the library reads in a second or two. */
const LONGEST = 2_000_000
const MAX_TOKENS = 400_000
export const keyAsWritten = ({ source, value }: { source?: string; value: unknown }) => source ?? String(value)

/** @throws {YamlMistake} for the first mistake, and for content that would take seconds or the whole stack */
export async function composeYaml(text: string) {
  if (text.length > LONGEST) throw new YamlMistake(TOO_LONG)
  const { Composer, Lexer, Parser } = await import('./yaml.js')
  const parser = new Parser()
  const parts = []
  let tokens = 0
  for (const token of new Lexer().lex(text)) {
    parts.push(...parser.next(token))
    if (++tokens > MAX_TOKENS) throw new YamlMistake(TOO_LONG)
    // The stack holds the levels, the document and a scalar.
    if (parser.stack.length > MAX_LEVELS + 2) throw new YamlMistake(`The content ${TOO_COMPLEX}`)
  }
  parts.push(...parser.end())
  const { stackTraceLimit } = Error
  // The library makes an error for each mistake; their stack traces would take most of the time.
  Error.stackTraceLimit = 0
  try {
    const [document, next] = new Composer(OPTIONS).compose(parts, true, text.length)
    if (next !== undefined) throw new YamlMistake(SECOND_DOCUMENT, next.range[0])
    const [mistake] = [...(document?.errors ?? []), ...(document?.warnings ?? [])]
    if (mistake === undefined) return document as NonNullable<typeof document>
    // An unclosed bracket or quote is found at the end of the file: point at its last line.
    throw new YamlMistake(mistake.message, Math.min(mistake.pos[0], text.trimEnd().length))
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

const TOO_LONG = 'The content is too long for YAML: write JSON'
const SECOND_DOCUMENT =
  'The file contains more than one document: remove the line ---, or write each document to its own file'

/**
 * The value of a parsed document. Unlike the library's `toJS`, it does not search the whole document for each alias.
 * @throws {YamlMistake} for an alias without an anchor, a repeated key, and too many nodes behind aliases
 */
export async function readNodes(contents: unknown) {
  const { isAlias, isMap, isNode, isScalar, isSeq } = await import('./yaml.js')
  const lossyScalars: LossyScalar[] = []
  const anchors = new Map<string, { readonly value: unknown; readonly size: number }>()
  let size = 0

  function readNode(node: unknown, path: DataComplaint['path']): unknown {
    const before = size
    size += isScalar(node) ? 1 + String(node.value).length : 1
    if (isAlias(node)) {
      const offset = node.range?.[0]
      const anchor = anchors.get(node.source)
      if (anchor === undefined) throw new YamlMistake(`No anchor &${node.source} ends before this alias`, offset)
      size += anchor.size
      if (size > LONGEST) throw new YamlMistake('With the values of its aliases, the content is too large', offset)
      return anchor.value
    }
    const value = isSeq(node) ? node.items.map((one, at) => readNode(one, [...path, at])) : readMapOrScalar(node, path)
    if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, { value, size: size - before })
    if (isScalar(node) && typeof value !== 'string' && node.source && String(value) !== node.source)
      lossyScalars.push({ path, source: node.source, parsed: String(value) })
    return value
  }

  function readMapOrScalar(node: unknown, path: DataComplaint['path']): unknown {
    if (!isMap(node)) return isScalar(node) ? node.value : null
    const entries = new Map<string, unknown>()
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? keyAsWritten(key) : String(readNode(key, path))
      size += name.length
      const offset = isNode(key) ? key.range?.[0] : undefined
      if (entries.has(name)) throw new YamlMistake(`Duplicate key ${quote(name)}; remove one`, offset)
      entries.set(name, readNode(value, [...path, name]))
    }
    return Object.fromEntries(entries)
  }

  return { data: readNode(contents, []), lossyScalars }
}
