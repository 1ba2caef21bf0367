import type { DataComplaint } from '../contract/complaint.js'
import { quote } from '../contract/wording.js'

/** An unquoted value or key that YAML changes: 0012 becomes 12. */
export interface LossyScalar extends Required<Pick<DataComplaint, 'path' | 'about'>> {
  readonly source: string
  readonly parsed: string
}

export class YamlMistake extends Error {
  constructor(
    message: string,
    readonly offset: number | undefined,
  ) {
    super(message)
  }
}

/**
 * The value of a parsed document. Unlike the library's `toJS`, it does not search the whole document for each alias.
 * @throws {YamlMistake} for an alias without an anchor, a repeated key, and more nodes than `most` behind aliases
 */
export async function readNodes(contents: unknown, most: number) {
  const { isAlias, isMap, isNode, isScalar, isSeq } = await import('./yaml.js')
  const lossyScalars: LossyScalar[] = []
  const anchors = new Map<string, { readonly value: unknown; readonly size: number }>()
  let size = 0

  function readNode(node: unknown, path: DataComplaint['path'], about: LossyScalar['about'] = 'value'): unknown {
    const before = size++
    if (isAlias(node)) {
      const offset = node.range?.[0]
      const anchor = anchors.get(node.source)
      if (anchor === undefined) throw new YamlMistake(`There is no anchor &${node.source} before this alias`, offset)
      size += anchor.size
      if (size > most) throw new YamlMistake('With the values of its aliases, the content is too large', offset)
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
      if (entries.has(name)) throw new YamlMistake(`Duplicate key ${quote(name)}; remove one`, offset)
      entries.set(name, readNode(value, [...path, name]))
    }
    return Object.fromEntries(entries)
  }

  return { data: readNode(contents, []), lossyScalars }
}
