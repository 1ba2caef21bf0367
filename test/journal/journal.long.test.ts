import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { build } from '../helper.js'
import { manyItems } from '../many-items.js'

t.test('the budget counts what is kept, however it is made', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = async () => {
    // What inject still has to do for the last requests holds all of them.
    await new Promise((later) => setTimeout(later, 200))
    collect()
    return process.memoryUsage().heapUsed
  }
  for (const [label, request] of Object.entries(manyItems)) {
    const server = await build(t)
    const send = async (count: number) => {
      for (let nth = 0; nth < count; nth++) await server.app.inject(request as never)
      return used()
    }
    await send(10)
    const counted = () => server.worlds.root.journal.exchanges().reduce((sum, { size }) => sum + size, 0)
    const before = { used: await used(), counted: counted() }
    const kept = (await send(20)) - before.used
    const told = counted() - before.counted
    t.ok(kept < 1.5 * told, `${label}: no more than half as much again is kept`, { kept, told })
  }
})
