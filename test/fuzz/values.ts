import fc from 'fast-check'

/** What stands where something else should: other types, and what is hard to compare, to write or to look up. */
const ODD: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  'an empty text': '',
  'a blank': ' ',
  'a sentence': 'not this',
  'an asterisk': '*',
  __proto__: '__proto__',
  constructor: 'constructor',
  'a NUL': '\u0000',
  'half a character': '\ud800',
  'two lines': 'a\r\nb: c',
  '300 letters': 'ß'.repeat(300),
  '70,000 letters': 'x'.repeat(70_000),
  'a pattern': '(a+)+$',
  'the year 9999': '9999-12-31T23:59:59.999Z',
  'the year 275760': '+275760-09-13T00:00:00.000Z',
  0: 0,
  '-1': -1,
  '1.5': 1.5,
  '1e300': 1e300,
  '2 ** 53': 2 ** 53,
  'a number as text': '1',
  'no items': [],
  'no keys': {},
  'a list in a list': [[]],
  'a list with nothing': [null],
  'objects in objects': { a: { a: { a: 1 } } },
}

/** How a value is changed at a place of it. */
const changes = {
  remove: (parent: object, key: string | number) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else delete (parent as Record<string, unknown>)[key]
  },
  repeat: (parent: object, key: string | number) => {
    const value = (parent as Record<string, unknown>)[key]
    if (Array.isArray(parent)) parent.push(structuredClone(value))
    else set(parent, `${key}2`, structuredClone(value))
  },
  rename: (parent: object, key: string | number, odd: unknown) => {
    if (Array.isArray(parent)) return
    set(parent, String(odd), (parent as Record<string, unknown>)[key])
    delete (parent as Record<string, unknown>)[key]
  },
  replace: (parent: object, key: string | number, odd: unknown) => set(parent, key, structuredClone(odd)),
  nest: (parent: object, key: string | number, _: unknown, times: number) => {
    let value = (parent as Record<string, unknown>)[key]
    for (let level = 0; level < times; level++) value = [value]
    set(parent, key, value)
  },
  swap: (parent: object, key: string | number, _: unknown, __: number, other: unknown) =>
    set(parent, key, structuredClone(other)),
} as const

type Kind = keyof typeof changes

/** One change of a value, as it is printed. */
export interface ValueChange {
  readonly kind: Kind
  /** The place among all, from the outside in. */
  readonly nth: number
  /** The name of what is put there. */
  readonly odd: string
  readonly times: number
  /** The place whose value is taken. */
  readonly from: number
}

/** Changes that put odd values, and these words, in the places of others. */
export function valueChanges(words: readonly string[] = [], most = 3): fc.Arbitrary<ValueChange[]> {
  const kinds = Object.keys(changes) as Kind[]
  const change = fc.record({
    kind: fc.oneof({ weight: 3, arbitrary: fc.constant('replace' as const) }, ...kinds.map((one) => fc.constant(one))),
    nth: fc.nat(9_999),
    odd: fc.oneof(fc.constantFrom(...Object.keys(ODD)), fc.constantFrom(...words, 'a sentence')),
    times: fc.constantFrom(1, 2, 3, 60, 150, 1_000),
    from: fc.nat(9_999),
  })
  return fc.array(change, { maxLength: most, size: 'max' })
}

/** A value after changes. */
export function changedValue<T>(value: T, list: readonly ValueChange[]): unknown {
  const whole = { value: structuredClone(value) as unknown }
  for (const { kind, nth, odd, times, from } of list) {
    const places = placesIn(whole)
    const place = places[nth % places.length]
    const other = places[from % places.length]
    if (place === undefined || other === undefined) return whole.value
    const value = Object.hasOwn(ODD, odd) ? ODD[odd] : odd
    changes[kind](place.parent, place.key, value, times, (other.parent as Record<string, unknown>)[other.key])
  }
  return whole.value
}

interface Place {
  readonly parent: object
  readonly key: string | number
}

/** Every place of a value, level by level; those of deep and long values are too many. */
function placesIn(whole: object): Place[] {
  const places: Place[] = []
  let level: object[] = [whole]
  for (let depth = 0; depth < 12 && level.length > 0; depth++) {
    const here = level.flatMap((parent) =>
      Object.keys(parent).map((key) => ({ parent, key: Array.isArray(parent) ? Number(key) : key })),
    )
    places.push(...here)
    level = here
      .map(({ parent, key }) => (parent as Record<string, unknown>)[key])
      .filter((value): value is object => typeof value === 'object' && value !== null)
  }
  return places
}

/** As JSON.parse does it: `__proto__` is a key like any other. */
function set(parent: object, key: string | number, value: unknown): void {
  Object.defineProperty(parent, key, { value, writable: true, enumerable: true, configurable: true })
}
