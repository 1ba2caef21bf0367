import { groupBy } from '../contract/group-by.js'
import type { Deviation } from './violation.js'

export type FoldedDeviation = ReturnType<typeof foldDeviations>[number]

/** Merges deviations at the same place of several list items, as in `body.items[*].price`. */
export function foldDeviations(deviations: readonly Deviation[], body: unknown) {
  const groups = groupBy(deviations, ({ where, cites }) => `${withoutIndexes(where)} ${cites}`)
  return [...groups.values()].map((group) => {
    const [{ where: firstWhere, message, ...deviation }] = group as [Deviation, ...Deviation[]]
    const where = withoutIndexes(firstWhere)
    const [, ...path] = where.split(/\.|(?=\[)/)
    // A truncated body is only text: its items cannot be counted.
    const of = typeof body !== 'object' ? undefined : Math.max(group.length, countPlaces(body, path))
    const general = message.replace(`'${firstWhere}'`, `'${where}'`)
    return { ...deviation, where, firstWhere, message: general, count: group.length, of }
  })
}

/** `items[*].price, 100 of 100: `; empty for a deviation outside of lists. */
export function describeCountInList({ where, count, of }: Pick<FoldedDeviation, 'where' | 'count' | 'of'>): string {
  if (!where.includes('[*]')) return ''
  return `${where.replace('body.', '')}, ${of === undefined ? count : `${count} of ${of}`}: `
}

function withoutIndexes(where: string): string {
  return where.replaceAll(/\.\d+(?=\.|$)/g, '[*]')
}

function countPlaces(value: unknown, [name, ...rest]: readonly string[]): number {
  if (name === undefined) return 1
  if (name === '[*]') return Array.isArray(value) ? value.reduce((sum, item) => sum + countPlaces(item, rest), 0) : 0
  return countPlaces((value as Readonly<Record<string, unknown>> | null | undefined)?.[name], rest)
}
