import { groupBy } from '../contract/group-by.js'
import type { Deviation } from './violation.js'

/** Keeps the first of the deviations at the same place of several list items. */
export function foldDeviations(deviations: readonly Deviation[], body: unknown): Deviation[] {
  const groups = groupBy(deviations, ({ where, code, cites }) => `${withoutIndexes(where)} ${code} ${cites}`)
  return Array.from(groups.values(), (group) => {
    const [first] = group as [Deviation, ...Deviation[]]
    const [, ...path] = withoutIndexes(first.where).split(/\.|(?=\[)/)
    return { ...first, count: group.length, of: Math.max(group.length, countPlaces(body, path)) }
  })
}

/** Names all items in place of the first, as in `body.items[*].price`. */
export function forAllItems<D extends Pick<Deviation, 'where' | 'message'>>(deviation: D): D {
  const where = withoutIndexes(deviation.where)
  return { ...deviation, where, message: deviation.message.replace(`'${deviation.where}'`, `'${where}'`) }
}

/** `items[*].price, 100 of 100: `; empty for a deviation outside of lists. */
export function describeCount({ where, count, of = count }: Pick<Deviation, 'where' | 'count'> & { of?: number }) {
  return where.includes('[*]') ? `${where.replace('body.', '')}, ${count} of ${of}: ` : ''
}

function withoutIndexes(where: string): string {
  return where.replaceAll(/\.\d+(?=\.|$)/g, '[*]')
}

function countPlaces(value: unknown, [name, ...rest]: readonly string[]): number {
  if (name === undefined) return 1
  if (name === '[*]') return Array.isArray(value) ? value.reduce((sum, item) => sum + countPlaces(item, rest), 0) : 0
  return countPlaces((value as Readonly<Record<string, unknown>> | null | undefined)?.[name], rest)
}
