import { join } from 'node:path'
import t from 'tap'
import { provider, verify } from './stub.js'

t.test('reports that cannot be written are told before anything is sent', async (t) => {
  const mock = await provider(t)
  const folder = t.testdir({ taken: 'a file' })
  const reports = ['--json', join(folder, 'taken/x.json'), '--junit', folder]
  const text = /x\.json: The file cannot be written: .+\n.*The file cannot be written: it is a folder/
  t.match(await verify(t, mock.url, '--allow-writes', ...reports), { code: 2, text }, 'all of them')
  t.strictSame(await mock.requests(), [], 'nothing was sent')
})
