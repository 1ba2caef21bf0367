/** So many of the mutants, spread evenly over rooms and, in each, over kinds; the same seed chooses the same ones. */
export function choose(mutants, count, seed) {
  const random = randomFrom(seed)
  const ofRoom = (room) => inTurns(groupsBy(room, 'kind').map((group) => shuffled(group, random)))
  return inTurns(groupsBy(mutants, 'room').map(ofRoom)).slice(0, count)
}

function groupsBy(mutants, name) {
  const groups = new Map()
  for (const mutant of mutants) groups.set(mutant[name], [...(groups.get(mutant[name]) ?? []), mutant])
  return [...groups.values()]
}

/** The first of each list, then the second of each, and so on. */
function inTurns(lists) {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}

function shuffled(list, random) {
  const keyed = list.map((one) => [random(), one])
  return keyed.sort(([a], [b]) => a - b).map(([, one]) => one)
}

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
