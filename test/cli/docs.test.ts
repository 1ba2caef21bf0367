import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { run } from '../command-line.js'

const folder = new URL('../../docs/', import.meta.url)
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.md') && name !== 'index.md')
  .map((name) => name.replace('.md', ''))

t.test('the pages are listed, with what they are about', async (t) => {
  const { code, out } = await run(t, ['docs'])
  t.equal(code, 0)
  for (const name of ['readme', 'agents', ...names]) t.match(out, new RegExp(`^${name} +\\S`, 'm'), name)
})

t.test('a page is printed as it is', async (t) => {
  const text = readFileSync(new URL('sandboxes.md', folder), 'utf8')
  for (const name of ['sandboxes', 'Sandboxes', 'sandboxes.md'])
    t.equal((await run(t, ['docs', name])).out.trim(), text.trim(), name)
})

t.test('words are found where all of them stand, in any letter case', async (t) => {
  const { code, out } = await run(t, ['docs', 'Invitation', 'MAIL'])
  t.match({ code, out }, { code: 0, out: /^mail: /m })
  for (const found of out.split(/\n\n(?=\w+: )/)) t.match(found, /mail/i)
  const none = { code: 1, err: "No page contains 'no-such-word-at-all' and 'mail'." }
  t.match(await run(t, ['docs', 'no-such-word-at-all', 'mail']), none)
})
