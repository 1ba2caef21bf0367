import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { collections } from '../../src/api/records.js'
import { folder } from '../binary.js'
import { run, serve } from '../command-line.js'
import { bookshelf } from './api.js'

const KEY = { 'x-shelf-key': 'key-ada' }

const outputs: string[] = []

async function startShelf(t: Test, cwd = folder(t), args: readonly string[] = []) {
  const { url, out } = await serve(t, args, { cwd }, bookshelf)
  outputs.push(out())
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { headers: KEY, ...init })
    const text = await response.text()
    outputs.push(JSON.stringify([...response.headers]), text)
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, text, body: isJson ? JSON.parse(text) : undefined }
  }
  const shelve = (title: string, sandbox = '') => {
    const body = new FormData()
    body.append('title', title)
    return call(`${sandbox}/books`, { method: 'POST', body })
  }
  return { url, call, shelve }
}

t.test('the server serves another API', async (t) => {
  const { call, shelve } = await startShelf(t)
  t.match(
    await call('/books?sheet=2&count=1'),
    { status: 200, body: { all: 2, books: [{ title: 'Villette' }] } },
    'a page',
  )
  t.match(await call('/books?sheet=1&count=1', { headers: {} }), { status: 401, body: { problem: String } }, 'no key')
  t.match(await shelve('Emma'), { status: 200, body: { title: 'Emma' } }, 'a form')
  t.match(await shelve('Emma', '/~a'), { status: 200 }, 'a sandbox')
  const { body: state } = await call('/__admin/state')
  t.equal(state.books.length, 3, 'the root has only its own new book')
  await call('/__admin/reset', { method: 'POST' })
  t.match(await call('/books?sheet=1&count=1'), { body: { all: 2 } }, 'a reset removes new records')
  t.match(await call('/shelf/1'), { status: 200, text: /Persuasion/ }, 'the page of a book')
})

t.test('an invalid request gets a violation and a correction', async (t) => {
  const { call } = await startShelf(t)
  t.match(await call('/books?Sheet=2&count=1'), { status: 400, body: { problem: String } })
  const { body } = await call('/__admin/requests')
  const [{ id, violations }] = body.requests
  t.match(violations, [{ where: 'query.Sheet', message: /sheet/ }], 'the misspelt parameter')
  const { text } = await call(`/__admin/requests/${id}`)
  t.match(text, /sheet=2&count=1[^}]*X-Shelf-Key: /, 'the corrected line has its token header')
  const fetched = await call(`/__admin/requests/${id}?format=corrected-fetch`)
  t.match(fetched.text, /'x-shelf-key': /, 'the corrected fetch call has it, too')
})

t.test('a preference and a scenario file force outcomes', async (t) => {
  const cwd = folder(t)
  writeFileSync(join(cwd, 'shut.yaml'), 'rules: [{ on: listBooks, answer: { status: 400 } }]\n')
  const { call } = await startShelf(t, cwd, ['--scenarios', cwd, '--scenario', 'shut'])
  t.match(await call('/books?sheet=1&count=1'), { status: 400 }, 'a scenario file')
  const headers = { ...KEY, prefer: 'code=401' }
  t.match(await call('/books?sheet=1&count=1', { headers }), { status: 401 }, 'a preference')
})

t.test('dashboard, OpenAPI and mutants work for another API', async (t) => {
  const { call } = await startShelf(t)
  const page = await call('/__admin/')
  t.match(page.text, /&quot;books&quot;|"books"/, 'the dashboard has its collections')
  const { body: document } = await call('/__admin/openapi.json')
  t.same(Object.keys(document.paths), ['/books'], 'the OpenAPI document has its operations')
  const mutants = await run(t, ['list', 'mutants', '--json'], {}, bookshelf)
  outputs.push(mutants.out)
  const [{ mutant }] = JSON.parse(mutants.out)
  const before = await call('/books?sheet=1&count=1')
  const altered = await call('/books?sheet=1&count=1', { headers: { ...KEY, prefer: `mutant="${mutant}"` } })
  t.not(altered.text, before.text, 'a mutant alters its answers')
})

t.test('exec checks gates for another API, and verify finds no drift', async (t) => {
  const suite = `fetch(process.env.COUNTERSIGN_URL + '/books?sheet=1&count=1', { headers: { 'x-shelf-key': process.env.COUNTERSIGN_TOKEN } })`
  const gates = ['--require', 'listBooks:200', '--fail-on', 'violations,unmatched', '--min-coverage', '10']
  const passed = await run(t, ['exec', ...gates, '--', process.execPath, '-e', suite], {}, bookshelf)
  t.match(passed, { code: 0, err: /All gates passed/ })
  const failed = await run(
    t,
    ['exec', '--require', 'shelveBook:200', '--', process.execPath, '-e', suite],
    {},
    bookshelf,
  )
  t.match(failed, { code: 1, err: /shelveBook:200/ })
  const { url } = await startShelf(t)
  const env = { COUNTERSIGN_TOKEN: 'key-ada' }
  const verified = await run(t, ['verify', '--target', url, '--allow-writes'], { env }, bookshelf)
  t.match(verified, { code: 0, out: /ok/ }, 'verify passes')
  t.notMatch(verified.out, /drift:/)
  outputs.push(passed.err, failed.err, verified.out, verified.err)
})

t.test('no output has words of the signing API', async (t) => {
  for (const command of ['', 'exec', 'mutate', 'coverage', 'verify', 'seed', 'list', 'openapi', 'init'])
    outputs.push((await run(t, ['help', command].filter(Boolean), {}, bookshelf)).out)
  for (const list of ['operations', 'outcomes', 'statements', 'interpretations'])
    outputs.push((await run(t, ['list', list], {}, bookshelf)).out)
  const plain = ['users', 'documents', 'projects', 'signatures']
  const names = [...contracts.map(({ id }) => id), ...collections.map(({ name }) => name)].filter(
    (name) => !plain.includes(name),
  )
  const words = new RegExp(
    `Enterprise|ENTERPRISE|histories|data\\[|amount|user[-_]type|user-token|\\b(${names.join('|')})\\b|\\bI-\\d\\d\\b`,
    'g',
  )
  t.same([...new Set(outputs.join('\n').match(words))], [], 'in all outputs of these tests')
})
