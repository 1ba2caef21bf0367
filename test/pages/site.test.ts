import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { pages } from './block.js'

const site = '../../docs/.vitepress/config.mjs'
const { default: config } = await import(new URL(site, import.meta.url).href)

const inDocs = pages.filter((page) => page.startsWith('docs/')).map((page) => page.slice('docs'.length, -'.md'.length))
type Group = { readonly items: readonly { readonly link: string; readonly text: string }[] }
const items = (config.themeConfig.sidebar as readonly Group[]).flatMap((group) => group.items)

t.test('the site has every page in one place', async (t) => {
  t.strictSame(items.map(({ link }) => link).sort(), [...inDocs].sort())
  for (const { link, text } of items) t.match(text, /\w/, `${link} has a title`)
})

t.test('pages stand as markdown beside their HTML, and llms.txt lists them', async (t) => {
  const outDir = mkdtempSync(join(folder(t), 'site-'))
  await config.buildEnd({ outDir })
  const list = readFileSync(join(outDir, 'llms.txt'), 'utf8')
  for (const link of inDocs) {
    t.match(list, `](${link.slice(1)}.md)`)
    t.match(readFileSync(join(outDir, `${link}.md`), 'utf8'), /^# /)
  }
})

t.test('links out of docs lead to no page that is not there', async (t) => {
  const rule: { lead?: (state: unknown) => void } = {}
  config.markdown.config({
    core: { ruler: { push: (_: string, lead: (state: unknown) => void) => Object.assign(rule, { lead }) } },
  })
  const led = (href: string) => {
    const attributes = new Map([['href', href]])
    const token = {
      type: 'link_open',
      attrGet: (name: string) => attributes.get(name),
      attrSet: (name: string, to: string) => void attributes.set(name, to),
    }
    rule.lead?.({ tokens: [{ children: [token] }] })
    return attributes.get('href')
  }
  t.equal(led('../README.md#in-your-project'), '/')
  t.equal(led('../fixtures/README.md'), '/')
  t.equal(led('sandboxes.md'), 'sandboxes.md')
})
