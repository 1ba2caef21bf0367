import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { cases } from './cases.mjs'
import { startTarget } from './target.mjs'

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const SIZES = [100, 10_000, 200_000]
/** The same answers at every size: a page of ten, a search that finds one, a write. */
const names = [
  'listCreditHistories',
  'searchProtectedAttachments',
  'updateSubOrganizationMember',
  'addOrganizationMember',
]

/** CPU microseconds a request at each size, and the last to the first. */
export async function growth() {
  const costs = new Map(names.map((name) => [name, []]))
  const starts = []
  for (const size of SIZES) {
    const fixtures = join(mkdtempSync(join(tmpdir(), 'countersign-bench-')), 'fixtures')
    const counts = ['--credits', '--attachments', '--members', '--sub-members'].flatMap((flag) => [flag, String(size)])
    execFileSync(process.execPath, [CLI, 'seed', '--out', fixtures, ...counts], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    const began = performance.now()
    const target = await startTarget('countersign', { fixtures })
    starts.push(performance.now() - began)
    for (const name of names) costs.get(name).push(await cost(target, varied(cases.find((one) => one.name === name))))
    await target.stop()
    console.error(`growth: ${size} done`)
  }
  const rows = names.map((name) => row(name, costs.get(name), 'µs a request'))
  return [...rows, row('start', starts, 'ms')]
}

function row(what, values, unit) {
  const columns = Object.fromEntries(SIZES.map((size, at) => [`${size} records`, values[at].toFixed(0)]))
  return { what, unit, ...columns, '200k to 100': (values.at(-1) / values[0]).toFixed(2) }
}

/** Pages and words that change from call to call, so that nothing is answered from memory. */
function varied(one) {
  if (one.name === 'listCreditHistories')
    return {
      ...one,
      urls: Array.from({ length: 500 }, (_, at) =>
        one.url
          .replace('page=2', `page=${1 + (at % 10)}&sort=created_at`)
          .replace('per_page=10', `per_page=${5 + (at % 7)}`),
      ),
    }
  if (one.name === 'searchProtectedAttachments')
    return {
      ...one,
      urls: Array.from({ length: 500 }, (_, at) =>
        one.url
          .replace(/sample_1%5D=[^&]+/, `sample_1%5D=REF-2025-000${1 + (at % 3)}`)
          .replace(/&keyword%5Bsample_2.*$/, `&keyword%5Bsample_2%5D=${'REF-2025'.slice(0, 1 + (at % 7))}`),
      ),
    }
  return one
}

async function cost(target, { method, url, urls, headers, body, status, name }) {
  const requests = (urls ?? [url]).map((path) => ({ method, path, headers, body }))
  const run = (duration) => autocannon({ url: target.url, requests, connections: 4, duration })
  await run(1)
  const before = await target.usage()
  const result = await run(2)
  const after = await target.usage()
  const { count = 0 } = result.statusCodeStats[status] ?? {}
  if (count < result.requests.total) throw new Error(`${name}: ${JSON.stringify(result.statusCodeStats)}`)
  return (after.cpu - before.cpu) / result.requests.total
}
