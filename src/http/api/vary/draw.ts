/** A number from 0 up to, but not including, 1; another one each time. */
export type Draw = () => number

/** One of several. */
export function drawn<V>(draw: Draw, values: readonly V[]): V {
  return values[Math.floor(draw() * values.length)] as V
}

/** The same values in another order, each order as likely as the others. */
export function shuffled<V>(draw: Draw, values: readonly V[]): V[] {
  const order = [...values]
  for (let last = order.length - 1; last > 0; last--) {
    const at = Math.floor(draw() * (last + 1))
    ;[order[last], order[at]] = [order[at] as V, order[last] as V]
  }
  return order
}
