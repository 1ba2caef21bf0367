import fc from 'fast-check'

/** A change as it is printed: its kind, and what it is made of. */
export interface Change {
  readonly kind: string
}

/** What a kind of change is made of, and what it does with a value. */
export interface Kind<T> {
  readonly parts: Readonly<Record<string, fc.Arbitrary<unknown>>>
  readonly apply: (value: T, parts: never) => T
}

type Kinds<T> = Readonly<Record<string, Kind<T>>>

/** Describes kinds of changes of such values. */
export function kindsOf<T>() {
  return <P extends object>(
    parts: { readonly [Name in keyof P]: fc.Arbitrary<P[Name]> },
    apply: (value: T, parts: P) => T,
  ): Kind<T> => ({ parts, apply })
}

/** Draws so many changes at most. */
export function listsOf<T>(kinds: Kinds<T>, maxLength: number): fc.Arbitrary<Change[]> {
  const one = Object.entries(kinds).map(([kind, { parts }]) => fc.record({ kind: fc.constant(kind), ...parts }))
  return fc.array(fc.oneof(...one), { maxLength, size: 'max' })
}

/** A value after changes. */
export function after<T>(kinds: Kinds<T>, value: T, list: readonly Change[]): T {
  return list.reduce((now, change) => kinds[change.kind]!.apply(now, change as never), value)
}
