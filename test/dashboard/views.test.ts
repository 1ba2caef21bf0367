import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import {
  addOrganizationMember,
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
  uploadSignature,
} from '../../schemas/index.js'
import { shows } from '../fits.js'
import { adminOf, fileOf, send, sendTo } from '../helper.js'
import { open, type Visit, visit } from './page.js'

const settings = { clock: '2026-01-15T09:30:00Z', scenario: ['invitation-conflicts', 'verifyDocument:404'] }
/** The classes that elements have. */
const classes = new Set<string>()

visit('each view shows what happened', { settings, expected: /status of 4/ }, async (t, visit) => {
  const { server } = visit
  const headers = { host: 'localhost', 'user-agent': 'app' }
  await send(server, addOrganizationMember, { form: { 'data[0][email]': 'mailto:ada@example.test' }, headers })
  await send(server, addOrganizationMember, { headers })
  await send(server, addOrganizationMember, { headers })
  await send(server, uploadSignature, { form: { source: 'undefined' }, headers })
  await send(server, listCreditHistories, { headers: { ...headers, prefer: 'code=503, delay=1' } })
  await send(server, listCreditHistories, { headers, sandbox: 'w-1' })
  await server.app.inject({ url: '/nowhere', headers })
  const stranger = { ...headers, authorization: undefined, 'user-token': 'nobody' }
  await send(server, searchProtectedAttachments, { query: { 'keyword[sample_4]': 'x' }, headers: stranger })
  await adminOf(server).call('PUT', 'scenarios/mine', { rules: [{ on: '*', times: 2, answer: { delay: 5 } }] })
  await play(t, visit, 'views')
})

const odd = { settings: { clock: settings.clock, smtp: 'smtp://127.0.0.1:1' }, expected: /status of [45]|ERR_/ }

visit('each exchange shows what was sent and answered, and what is edited stays', odd, async (t, visit) => {
  const { server, url } = visit
  const headers = { host: new URL(url).host, 'user-agent': 'app' }
  const names = { 'data[0][last_name]': ['Lovelace', ''], colour: 'red' }
  await send(server, addOrganizationMember, {
    form: { 'data[0][email]': 'mailto:ada@example.test', ...names },
    headers,
  })
  await send(server, listCreditHistories, { headers: { ...headers, prefer: 'fault=EMPTY_RESPONSE' } }).catch(() => {})
  await send(server, listCreditHistories, { query: { sort: 'x' }, headers: { ...headers, prefer: 'expect=400' } })
  await send(server, updateSubOrganizationMember, { headers })
  const payload = 'a text\u0000'
  const type = { ...headers, 'content-type': 'text/plain' }
  await server.app.inject({ method: 'POST', url: '/nowhere', payload, headers: type })
  await server.app.inject({ url: '/nowhere?a=1?2', payload, headers: { ...type, authorization: 'Bearer nobody' } })
  await send(server, uploadSignature, { form: { file: fileOf('GIF89a', '', 'image/gif') }, headers })
  const slow = { headers: { prefer: 'delay=20000' } }
  await sendTo(url, listCreditHistories, slow, { signal: AbortSignal.timeout(2_000) }).catch(() => {})
  await play(t, visit, 'exchanges')
  await play(t, visit, 'edits')
  const { body } = await server.app.inject('/__admin/dashboard.css')
  const styled = Array.from(body.matchAll(/\.([a-z][\w-]*)/g), ([, name = '']) => name)
  const unseen = new Set(['patch', 'delete', 'lost', 'off-screen'])
  t.strictSame(new Set(styled.filter((name) => !classes.has(name))), unseen, 'each style is used')
  const plain = new Set(['shipped'])
  t.strictSame(new Set([...classes].filter((name) => !styled.includes(name))), plain, 'each class has a style')
})

/** Plays the views of a file; before each, it says what is current and has the focus. */
async function play(t: Test, visit: Visit, file: string): Promise<void> {
  const { page } = visit
  const text = readFileSync(new URL(`../cases/dashboard/${file}.txt`, import.meta.url), 'utf8')
  for (const one of text.split(/^=== /m).slice(1)) {
    const [, steps = '', expected = ''] = /^#\/(.*)\n+([\s\S]*)$/.exec(one) ?? []
    const [view = '', ...names] = steps.split(' > ')
    await open(visit, view)
    await page.evaluate(DRAWN)
    for (const name of names) await take(visit, name)
    const look = async () => (await page.evaluate(HEAD)) + (await page.locator('body').ariaSnapshot())
    await shows(t, look, expected, steps)
    for (const name of (await page.evaluate(CLASSES)) as string[]) classes.add(name)
  }
}

const HEAD = `(() => {
  const name = (one) => one.tagName.toLowerCase() + ' ' + (one.ariaLabel ?? one.textContent).slice(0, 60)
  const all = (selector, more) => Array.from(document.querySelectorAll(selector), (one) => name(one) + more(one))
  const choices = (one) => one.label + ' ' + Array.from(one.children, ({ text }) => text).join(' ')
  return Object.entries({
    title: [document.title],
    current: all('[aria-current], [aria-sort]', ({ ariaSort }) => (ariaSort ? ' ' + ariaSort : '')),
    focus: all(':focus', () => ''),
    choices: Array.from(document.querySelectorAll('optgroup'), choices),
  }).map(([name, values]) => ('- ' + name + ': ' + values.join(', ')).trim() + '\\n').join('')
})()`
const CLASSES = "Array.from(document.querySelectorAll('[class]'), (one) => [...one.classList]).flat()"

/** Resolves when what the address leads to is drawn. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

async function take({ page, server }: Visit, step: string): Promise<void> {
  const [, key = '', method, path = '', body, field = '', value = '', name = ''] =
    /^(?:\[(.+)\]|(GET|PUT|POST|PATCH|DELETE) (\S+) ?(.*)|(.+) = (.*)|(.*))$/.exec(step) ?? []
  if (key !== '') return page.keyboard.press(key)
  if (method) return void (await adminOf(server).call(method as 'PUT', path, body ? JSON.parse(body) : undefined))
  const fields = page.getByRole('combobox', { name: field, exact: true }).or(page.getByLabel(field, { exact: true }))
  if (field !== '') return void (await fields.selectOption(value).catch(() => fields.last().fill(value)))
  const named = { name, exact: true }
  const pressed = page.getByRole('button', named).or(page.getByRole('link', named)).or(page.getByRole('switch', named))
  const folded = page.locator('summary', { hasText: name })
  await pressed.or(folded).last().click()
}
