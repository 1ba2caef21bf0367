import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Contract, outcomeId, shown, statusesOf } from '../schemas/contract.js'
import { contracts } from '../schemas/contracts.js'
import { interpretations } from '../schemas/interpretations.js'
import { docsPage } from '../src/docs/page/page.js'
import { escapeHtml } from '../src/text/html.js'

const all: readonly Contract[] = contracts
const read = (file: string) => readFileSync(new URL(`../src/docs/page/${file}`, import.meta.url), 'utf8')
const assets = { style: read('client.css'), script: read('client.js') }
const place = { ...assets, url: 'http://127.0.0.1:4010', token: 'token-admin' }
const page = docsPage(all, interpretations, place)

/** The part of a page that is about one operation. */
function sectionOf(contract: Contract, html = page): string {
  return html.split('<section ').find((part) => part.startsWith(`id="${contract.id}"`)) ?? ''
}

t.test('every operation is there with its method, path, parameters and form fields', async (t) => {
  for (const contract of all) {
    const section = sectionOf(contract)
    t.match(section, escapeHtml(contract.summary))
    t.ok(section.includes(`>${contract.method}</span>`), contract.method)
    t.equal(
      section.match(/<p class="route">.*<\/p>/)?.[0].replaceAll(/<[^>]*>/g, ''),
      `${contract.method} ${contract.path}`,
    )
    for (const part of [contract.params, contract.query, contract.form]) {
      for (const name of Object.keys(part?.properties ?? {})) {
        const row = section.split('<tr>').find((one) => one.includes(`<code>${name}</code>`)) ?? ''
        t.equal(row.includes('>required<'), part?.required?.includes(name) ?? false, `${contract.id} ${name}`)
        t.ok(section.includes(`data-name="${name}"`), `${name} can be tried`)
      }
    }
  }
})

t.test('every outcome is there with its provenance and can be asked for', async (t) => {
  const labels = { shown: 'shown', bodyNotShown: 'body not shown', assumed: 'assumed' }
  for (const contract of all) {
    const responses = sectionOf(contract).split('<details ').slice(1)
    t.equal(responses.length, statusesOf(contract).length)
    for (const [at, status] of statusesOf(contract).entries()) {
      const { provenance, description } = contract.responses[status]!
      t.ok(responses[at]?.includes(`<code>${outcomeId(contract, status)}</code>`), outcomeId(contract, status))
      t.ok(responses[at]?.includes(`<span class="badge ${provenance}">${labels[provenance]}</span>`), provenance)
      t.ok(responses[at]?.includes(escapeHtml(description.replaceAll('`', ''))), description)
      t.ok(sectionOf(contract).includes(`<option value="code=${status}">`))
    }
  }
})

t.test('every interpretation has a row to link to, with its switch', async (t) => {
  for (const one of interpretations) {
    t.ok(page.includes(`<tr id="${one.id}">`), one.id)
    if ('switch' in one) t.ok(page.includes(`<code>${one.switch.name}</code>`), one.switch.name)
  }
  const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
  t.strictSame(ids, [...new Set(ids)], 'no id twice')
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) t.ok(ids.includes(target), `#${target}`)
  for (const [, target] of page.matchAll(/ for="([^"]+)"/g)) t.ok(ids.includes(target), `a label for ${target}`)
})

t.test('the error bodies are in the envelope that the world is set to', async (t) => {
  const flat = docsPage(all, interpretations, { ...place, errorBody: 'flat' })
  const [invite, histories] = [all[5] as Contract, all[4] as Contract]
  t.ok(sectionOf(invite, flat).includes(escapeHtml('"status": "error"')))
  t.ok(sectionOf(histories, flat).includes(escapeHtml('"code": 401')), 'but where the document shows the body')
})

t.test('inside a sandbox everything on the page is about that sandbox', async (t) => {
  const html = docsPage(all, interpretations, { ...assets, url: 'http://localhost:5000/~w-1/', token: 'mine' })
  t.ok(html.includes('<body data-prefix="/~w-1">'))
  t.ok(html.includes('href="http://localhost:5000/~w-1/__admin/openapi.json"'))
  for (const contract of all) {
    const curl = /<pre tabindex="0"><code>(curl [^<]*)<\/code>/.exec(sectionOf(contract, html))?.[1] ?? ''
    t.match(curl, /http:\/\/localhost:5000\/~w-1\/(api|client)\//)
    t.ok(curl.includes(escapeHtml("-H 'Authorization: Bearer mine'")))
    t.ok(sectionOf(contract, html).includes(`data-path="${contract.path}"`))
  }
})

t.test('the curl line sends what a first call needs', async (t) => {
  const curlOf = (id: string) => sectionOf(all.find((one) => one.id === id) as Contract)
  t.match(curlOf('uploadSignature'), /-F &#39;file=@.*fixtures\/files\/signature.png;type=image\/png&#39;/)
  t.match(curlOf('verifyDocument'), escapeHtml("-F 'code=DOC-2025-0001'"))
  t.ok(
    curlOf('updateSubOrganizationMember').includes(escapeHtml("-F 'last_name=O'\\''Connor'")),
    'quoted for the shell',
  )
  t.ok(curlOf('searchProtectedAttachments').includes('keyword%5Bsample_1%5D=contract'))
})

t.test('whatever contracts, decisions, address and token say is text, never markup', async (t) => {
  const evil = '"><script>alert(1)</script>'
  const Answer = Type.Object({ note: Type.String() })
  const contract: Contract = {
    ...(all[0] as Contract),
    summary: evil,
    description: evil,
    query: Type.Object({ [evil]: Type.String({ description: evil, examples: [evil] }) }),
    responses: { 200: shown.answer(evil, Answer, { note: evil }) },
  }
  const decision = { id: evil, about: evil, decision: evil, reason: evil, switch: { name: evil, values: [evil] } }
  const html = docsPage([contract], [decision], { ...assets, url: `http://127.0.0.1/~${evil}`, token: evil })
  t.equal(html.match(/<script/g)?.length, 1, 'the one script is the page’s own')
  t.notOk(html.includes('<script>alert'))
})

t.test('the page stands alone: one style, one script, nothing fetched from elsewhere', async (t) => {
  t.equal(page.match(/<style>/g)?.length, 1)
  t.equal(page.match(/<script>/g)?.length, 1)
  t.notMatch(page, / src=|@import|url\(|<link (?!rel="icon" href="data:,")/)
  for (const [, href] of page.matchAll(/href="([^"#][^"]*)"/g)) t.match(href, /^(data:,$|http:\/\/127\.0\.0\.1:4010\/)/)
  t.doesNotThrow(() => new Function(/<script>([\s\S]*)<\/script>/.exec(page)?.[1] ?? 'throw'), 'the script parses')
  t.match(page, /<html lang="en">[\s\S]*<header[\s\S]*<nav aria-label[\s\S]*<main id="content">[\s\S]*<h1/)
})
