import { join } from 'node:path'
import t from 'tap'
import { build } from '../helper.js'
import { harmless } from './harmless.js'
import { mutatingProvider } from './mutating-provider.js'
import { verify } from './stub.js'

t.test('after --write-interpretations, any provider that follows the document is clean under --strict', async (t) => {
  const provide = await mutatingProvider(t, await build(t, { journalSize: 1 }))
  for (const variation of harmless.filter(({ cites }) => cites.some((cite) => cite.startsWith('I-')))) {
    const file = join(t.testdir({}), 'provider.yaml')
    const url = provide(variation)
    await verify(t, url, '--allow-writes', '--write-interpretations', file)
    const strict = await verify(t, provide(variation), '--allow-writes', '--strict', '--config', file)
    t.equal(strict.code, 0, variation.name, strict)
  }
})
