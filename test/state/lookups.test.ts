import t from 'tap'
import { Lookups } from '../../src/world/state/lookups.js'
import { SeededCollections } from '../../src/world/state/seeded-collections.js'
import { State } from '../../src/world/state/state.js'
import { idsOf, organization } from './stored.js'

const fixtures = () => new SeededCollections({ organizations: [organization(1)], users: [] })

/** How often the organizations are counted when these states look it up, one after another. */
function countings(): (state: State) => number {
  let made = 0
  return (state) => {
    const make = () => {
      made++
      return idsOf(state)
    }
    state.lookup(['organizations'], 'all', make, ({ length }) => length)
    return made
  }
}

t.test('worlds that have changed nothing share a look-up; one that has changed something has its own', async (t) => {
  const seeded = fixtures()
  const [one, two] = [new State(seeded), new State(seeded)]
  const lookUp = countings()
  t.strictSame([lookUp(one), lookUp(two), lookUp(one)], [1, 1, 1], 'it is made once')
  one.collection('organizations').put(organization(2))
  t.strictSame([lookUp(one), lookUp(one), lookUp(two)], [2, 2, 2], 'a change makes one anew, for that world')
  one.next('anything')
  two.patch({ signing_links: [] })
  t.strictSame([lookUp(one), lookUp(two)], [2, 2], 'what happens elsewhere changes nothing')
  two.replace({ organizations: [] })
  t.strictSame([lookUp(two), lookUp(one)], [3, 3], 'nor does another state of another world')
  one.reset(seeded)
  t.equal(lookUp(one), 3, 'after a reset the shared one is there again')
})

t.test('what is kept is bounded, whatever is asked for; what was used last stays', async (t) => {
  const lookups = new Lookups()
  const version = {}
  let made = 0
  const make = () => ({ nth: ++made })
  const lookUp = (name: string, bytes: number) => lookups.get([version], name, make, () => bytes)
  const MEGABYTE = 1024 * 1024
  const first = lookUp('first', MEGABYTE)
  for (let nth = 0; nth < 126; nth++) lookUp(`${nth}`, MEGABYTE)
  t.equal(lookUp('first', MEGABYTE), first, 'what fits stays')
  lookUp('another', MEGABYTE)
  t.equal(lookUp('first', MEGABYTE), first, 'what is used stays')
  const before = made
  lookUp('0', MEGABYTE)
  t.equal(made, before + 1, 'what was unused the longest has gone')
  const large = lookUp('large', 1_000 * MEGABYTE)
  t.equal(lookUp('large', MEGABYTE), large, 'one alone may be larger')
  t.not(lookUp('first', MEGABYTE), first, 'then nothing else stays')
  const long = lookUp('x'.repeat(70 * MEGABYTE), 0)
  lookUp('y', 0)
  t.not(lookUp('x'.repeat(70 * MEGABYTE), 0), long, 'a long name counts, too')
})
