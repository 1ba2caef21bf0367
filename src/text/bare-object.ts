/** @internal Its instances inherit nothing, and yet are objects of one shape as others are, and not tables. */
function Bare() {}
Bare.prototype = Object.create(null)

/** An empty object on which no name is taken: `constructor` and `__proto__` are names like others. */
export function bareObject<V>(): Record<string, V> {
  return new (Bare as unknown as new () => Record<string, V>)()
}
