// Elapsed time of a suite of 100 small tests, each with its own sandbox and three calls, at 1 and 4 workers, and of 1,000
// sandboxes that are created, used and deleted. Compared with bare Fastify, which has no sandboxes, and the installed peers.
//   node bench/users.mjs [--rounds 9]
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { caseOf } from './cases.mjs'
import { median, spread, table } from './tables.mjs'
import { repliesTo, startTarget } from './target.mjs'
import { load } from './targets/report.mjs'

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } })
const calls = ['addOrganizationMember', 'listCreditHistories', 'updateSubOrganizationMember'].map(caseOf)
const replies = await repliesTo(calls)
const has = (name) => existsSync(`node_modules/${name}`)
const names = ['fastify', 'countersign', ...(has('@stoplight/prism-cli') ? ['prism'] : [])]
const targets = await Promise.all(names.map((name) => startTarget(name, replies)))
if (has('msw')) targets.push({ name: 'msw, in process', ...interceptor() })

const suites = {
  '100 tests, 1 worker': (target) => tests(target, 100, 1),
  '100 tests, 4 workers': (target) => tests(target, 100, 4),
  '1,000 sandboxes': (target) => tests(target, 1_000, 4, [calls[1]], true),
}
const rows = []
let sandboxCount = 0
for (const [suite, run] of Object.entries(suites)) {
  const times = Object.fromEntries(targets.map(({ name }) => [name, []]))
  for (const target of targets) await run(target)
  for (let round = 0; round < Number(options.rounds); round++)
    for (const target of targets) {
      const started = performance.now()
      await run(target)
      times[target.name].push(performance.now() - started)
    }
  for (const [target, elapsed] of Object.entries(times)) {
    const ratios = elapsed.map((time, round) => time / times.fastify[round])
    const bar = target === 'countersign' ? 1.5 : ''
    const figures = { ms: median(elapsed).toFixed(0), 'to Fastify': median(ratios).toFixed(2), spread: spread(ratios) }
    rows.push({ suite, what: target, ...figures, bar })
  }
}
for (const { stop } of targets) await stop()
console.log(`\n## Users' time\n\n${table(rows)}`)

/** Runs tests in parallel workers, each test in a new sandbox; with `deletes`, the test ends by deleting its sandbox. */
async function tests({ name, url, start = () => {}, end = () => {} }, amount, workers, each = calls, deletes = false) {
  start()
  let remaining = amount
  const worker = async () => {
    while (remaining-- > 0) {
      const sandbox = `test-${sandboxCount++}`
      const base = name === 'countersign' ? `${url}/~${sandbox}` : url
      for (const { method, path, headers, body } of each)
        await (await fetch(base + path, { method, headers, body })).text()
      if (deletes) await (await fetch(`${url}/__admin/sandboxes/${sandbox}`, { method: 'DELETE' })).text()
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  end()
}

/** MSW in this process: it intercepts `fetch`. */
function interceptor() {
  const { http, HttpResponse } = load('msw')
  const url = 'http://msw.test'
  const answer = ({ status, headers, body }) => new HttpResponse(body, { status, headers })
  const handlers = replies.map((one) => http[one.method.toLowerCase()](url + one.path, () => answer(one)))
  const server = load('msw/node').setupServer(
    ...handlers,
    http.all('*', () => answer({ status: 404 })),
  )
  return { url, start: () => server.listen(), end: () => server.close(), stop() {} }
}
