import t, { type Test } from 'tap'
import { isRead } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { defaultReadings } from '../../schemas/readings.js'
import { verifyDocument } from '../../schemas/verify-document.js'
import { type Verification, verifyProvider } from '../../src/provider/verify.js'
import { build } from '../helper.js'
import { harmless } from './harmless.js'
import { mutants } from './mutants.js'
import { type Mutant, mutatingProvider } from './mutating-provider.js'
import { forEach, share } from './share.js'

/** Looks at a provider; at the operation alone that is otherwise, where that is enough to know what exists there. */
function look(url: string, { operation, cites }: Mutant, allowWrites: boolean): Promise<Verification> {
  const own = contracts.filter(({ id }) => operation === undefined || id === operation)
  // Another operation shows that the default world is there.
  // That one operation alone does not take the token shows where others do.
  const chosen = own.every(isRead) && !cites.includes('SA.2') ? own : [...own, verifyDocument]
  const target = { url, token: 'token-admin', tokenWithoutPermission: 'token-member', headers: [] }
  return verifyProvider(defaultReadings, chosen, { ...target, timeout: 30_000, retries: 0 }, { allowWrites })
}

const drifts = ({ findings }: Verification) => findings.filter(({ state }) => state === 'drift')

/** Some mutants are found, all of them. */
async function found(t: Test, some: readonly Mutant[], allowWrites: boolean): Promise<void> {
  const provide = await mutatingProvider(t, await build(t, { journalSize: 1 }))
  const missed: string[] = []
  const elsewhere: string[] = []
  await forEach(some, async (mutant) => {
    const seen = drifts(await look(provide(mutant), mutant, allowWrites))
    const name = `${mutant.cites} ${mutant.name}`
    if (seen.length === 0) missed.push(name)
    else if (!seen.some(({ cites }) => cites.some((cite) => mutant.cites.includes(cite)))) elsewhere.push(name)
  })
  t.strictSame(missed.sort(), [], `all of ${some.length} are found`)
  t.strictSame(elsewhere, [], 'each is told of a statement that it breaks')
}

t.test('every mutant says what it breaks', async (t) => {
  t.ok(mutants.length >= 120, `${mutants.length} mutants`)
  const names = mutants.map(({ name }) => name)
  t.equal(new Set(names).size, names.length, 'no two have one name')
})

const withoutWrites = mutants.filter(({ writes }) => writes === undefined)
const few = share(withoutWrites, 2)

t.test('with writes', { timeout: 600_000 }, (t) =>
  // Those that can be seen either way are tried one way, unless all are asked for.
  found(t, few.length === withoutWrites.length ? mutants : mutants.filter((one) => !few.includes(one)), true),
)

t.test('without writes, of those that can be seen so', { timeout: 600_000 }, (t) => found(t, few, false))

t.test('a harmless variation is no drift', { timeout: 600_000 }, async (t) => {
  t.ok(harmless.length >= 20, `${harmless.length} variations`)
  const provide = await mutatingProvider(t, await build(t, { journalSize: 1 }))
  await forEach(harmless, async (variation) => {
    for (const allowWrites of [false, true]) {
      const label = `${variation.name}, ${allowWrites ? 'with' : 'without'} writes`
      const verification = await look(provide(variation), { ...variation, operation: undefined }, allowWrites)
      t.strictSame(drifts(verification), [], `${label}: no drift`)
      t.strictSame(verification.unavailable, [], `${label}: nothing is unavailable`)
    }
  })
})
