import { readFileSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import t from 'tap'
import { type Contract, outcomeId, shown, statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import {
  addOrganizationMember,
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
} from '../../schemas/index.js'
import { interpretations } from '../../schemas/interpretations.js'
import { defaultReadings, type Readings } from '../../schemas/readings.js'
import { statements } from '../../schemas/statements.js'
import { docsPage } from '../../src/docs/page/page.js'
import { escapeHtml } from '../../src/text/html.js'

const all: readonly Contract[] = contracts
const built = (file: string) => readFileSync(new URL(`../../dist/assets/${file}`, import.meta.url), 'utf8')
/** Its own, and the dashboard's, which draws the bar. */
const SCRIPTS = ['<script>', '<script type="module" src="dashboard.js">']
const assets = { style: built('docs.css'), script: built('docs.js') }
const place = { ...assets, url: 'http://127.0.0.1:4010', token: 'token-admin' }
const page = docsPage(all, statements, interpretations, place)

/** The part of a page that is about one operation. */
function sectionOf(contract: Contract, html = page): string {
  return html.split('<section ').find((part) => part.startsWith(`id="${contract.id}"`)) ?? ''
}

t.test('every operation is there with its method, path, parameters and form fields', async (t) => {
  for (const contract of all) {
    const section = sectionOf(contract)
    t.match(section, escapeHtml(contract.summary), `${contract.id} has its summary`)
    t.match(section, `>${contract.method}</span>`, `${contract.id} has its method`)
    const route = section.match(/<p class="route">.*<\/p>/)?.[0].replaceAll(/<[^>]*>/g, '')
    t.equal(route, `${contract.method} ${contract.path}`, `${contract.id} has its route`)
    for (const part of [contract.params, contract.query, contract.form]) {
      for (const name of Object.keys(part?.properties ?? {})) {
        const row = section.split('<tr>').find((one) => one.includes(`<code>${name}</code>`)) ?? ''
        const isRequired = part?.required?.includes(name) ?? false
        t.equal(row.includes('>required<'), isRequired, `${contract.id} says whether ${name} is required`)
        t.ok(section.includes(`data-name="${name}"`), `${contract.id}: ${name} can be tried`)
      }
    }
  }
})

t.test('every outcome is there with its provenance and can be asked for', async (t) => {
  const labels = { shown: 'shown', bodyNotShown: 'body not shown', assumed: 'assumed', observed: 'observed' }
  for (const contract of all) {
    const responses = sectionOf(contract).split('<details ').slice(1)
    t.equal(responses.length, statusesOf(contract).length, `${contract.id} has all its outcomes`)
    for (const [at, status] of statusesOf(contract).entries()) {
      const { provenance, description } = contract.responses[status]!
      const id = outcomeId(contract, status)
      const badge = `<span class="badge ${provenance}">${labels[provenance]}</span>`
      for (const part of [`<code>${id}</code>`, badge, escapeHtml(description.replaceAll('`', ''))])
        t.match(responses[at], part, `${id} has ${part}`)
      t.ok(sectionOf(contract).includes(`<option value="code=${status}">`), `${id} can be asked for`)
    }
  }
})

t.test('every interpretation has a row to link to, with its switch', async (t) => {
  for (const one of interpretations) {
    t.ok(page.includes(`<tr id="${one.id}">`), `${one.id} has a row`)
    for (const name of 'switches' in one ? one.switches : [])
      t.ok(page.includes(`<code>${name}</code>`), `${one.id} has its switch ${name}`)
  }
  const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
  t.strictSame(ids, [...new Set(ids)], 'no id twice')
  for (const [whole, target] of page.matchAll(/ (?:href="#|for=")([^"]+)"/g))
    t.ok(ids.includes(target), `${whole} leads somewhere`)
})

const FLAT: Readings = { ...defaultReadings, errorBody: 'flat' }

t.test('the error bodies are in the envelope that the world is set to', async (t) => {
  const flat = docsPage(contractsUnder(all, FLAT), statements, interpretations, { ...place, readings: FLAT })
  t.ok(sectionOf(addOrganizationMember, flat).includes(escapeHtml('"status": "error"')), 'the flat one is shown')
  t.match(flat, 'Set to <code>flat</code>; the default is <code>nested</code>.', 'the switch says so')
  t.ok(sectionOf(listCreditHistories, flat).includes(escapeHtml('"code": 401')), 'what the document shows is kept')
})

t.test('inside a sandbox everything on the page is about that sandbox', async (t) => {
  const sandbox = { ...assets, url: 'http://localhost:5000/~w-1/', token: 'mine' }
  const html = docsPage(all, statements, interpretations, sandbox)
  t.ok(html.includes('<body data-base="http://localhost:5000/~w-1">'), 'the page knows its sandbox')
  t.ok(html.includes('href="openapi.json"'), 'it links to the sandbox’s document')
  for (const contract of all) {
    const curl = /<pre tabindex="0"><code>(curl [^<]*)<\/code>/.exec(sectionOf(contract, html))?.[1] ?? ''
    t.match(curl, /http:\/\/localhost:5000\/~w-1\/(api|client)\//, `${contract.id}: curl calls the sandbox`)
    t.ok(curl.includes(escapeHtml("-H 'Authorization: Bearer mine'")), `${contract.id}: curl sends the token`)
    t.ok(sectionOf(contract, html).includes(`data-path="${contract.path}"`), `${contract.id} has its path to try`)
  }
})

t.test('the curl line sends what a first call needs', async (t) => {
  for (const [contract, part] of [
    [uploadSignature, /-F &#39;file=@.*fixtures\/files\/signature.png;type=image\/png&#39;/],
    [verifyDocument, escapeHtml("-F 'code=DOC-2025-0001'")],
    [updateSubOrganizationMember, escapeHtml("-F 'last_name=O'\\''Connor'")],
    [searchProtectedAttachments, 'keyword%5Bsample_1%5D=contract'],
  ] as const)
    t.match(sectionOf(contract), part, contract.id)
})

t.test('whatever contracts, decisions, address and token say is text, never markup', async (t) => {
  const evil = '"><script>alert(1)</script>'
  const Answer = Type.Object({ note: Type.String() })
  const contract: Contract = {
    ...(all[0] as Contract),
    summary: evil,
    description: evil,
    query: Type.Object({ [evil]: Type.String({ description: evil, examples: [evil] }) }),
    responses: { 200: shown.answer(['I-01'], evil, Answer, { note: evil }) },
  }
  const decision = { id: evil, about: evil, decision: evil, reason: evil, switch: { name: evil, values: [evil] } }
  const there = { ...assets, url: `http://127.0.0.1/~${evil}`, token: evil }
  const html = docsPage([contract], [{ id: evil, text: evil }], [decision], there)
  t.strictSame(html.match(/<script[^>]*>/g), SCRIPTS, 'its scripts are the page’s own')
  t.notOk(html.includes('<script>alert'), 'no other script is in it')
})

t.test('the page stands alone: its style, its scripts, and nothing fetched from elsewhere', async (t) => {
  t.equal(page.match(/<style>/g)?.length, 1, 'it has one style')
  t.strictSame(page.match(/<script[^>]*>/g), SCRIPTS, 'it has two scripts')
  const loading = / src=(?!"dashboard\.js")|@import|url\(|<link (?!rel="icon" href="data:,")/
  t.notMatch(page, loading, 'it loads nothing else')
  for (const [, href] of page.matchAll(/href="([^"#][^"]*)"/g))
    t.match(href, /^(data:,$|(?!\/|\w+:))/, `the link to ${href} stays on the server, below whatever prefix it has`)
  t.doesNotThrow(() => new Function(/<script>([\s\S]*?)<\/script>/.exec(page)?.[1] ?? 'throw'), 'the script parses')
  const landmarks = /<html lang="en">.*<header.*<nav aria-label.*<main id="content">.*<h1/s
  t.match(page, landmarks, 'its parts are marked up as what they are')
})
