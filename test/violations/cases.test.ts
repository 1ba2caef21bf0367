import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { serve } from '../binary.js'
import { fillWildcards, fits } from '../fits.js'
import { fixtureFile } from '../helper.js'
import { readCases, type Step } from './case.js'

const FOLDER = fileURLToPath(new URL('../cases/', import.meta.url))
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.txt'))

t.test('the binary gives the answers that the cases expect', async (t) => {
  const { url } = await serve(t, ['--seed', '1', '--clock', '2026-01-15T09:30:00Z'])
  let count = 0
  for (const file of files) {
    t.test(file, async (t) => {
      for (const { name, steps } of readCases(FOLDER + file)) {
        const sandbox = `${url}/~case-${++count}`
        t.test(name, async (t) => {
          t.ok(steps.length > 0, 'the case has a request')
          for (const step of steps) await check(t, step, await sendStep(step, sandbox), `${file}:${step.line}`)
        })
      }
    })
  }
})

async function check(t: Test, step: Step, response: Response, place: string): Promise<void> {
  const text = await response.text()
  t.equal(response.status, step.status, `${place}: the status`, { answer: text })
  for (const [name, expected] of step.expectedHeaders) {
    const actual = `${response.headers.get(name)}`
    t.ok(fits(actual, expected), `${place}: the header ${name}`, { expected, actual })
  }
  t.same([step.reportedLines, step.correction], [[], undefined], `${place}: only mistakes/ expects violations`)
  for (const name of step.absentHeaders) t.equal(response.headers.get(name), null, `${place}: no header ${name}`)
  const body = step.body.trim()
  if (body === '') return
  if (response.headers.get('content-type')?.includes('json')) {
    const actual = JSON.parse(text)
    t.strictSame(actual, fillWildcards(JSON.parse(body), actual), `${place}: the body`)
  } else t.ok(fits(text.trim(), body), `${place}: the body`, { expected: body, actual: text })
}

function sendStep({ method, path, headers, omittedHeaders, fields, data }: Step, sandbox: string): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of fields) {
    const [, file, type] = /^@([^;]+)(?:;type=(.+))?$/.exec(value) ?? []
    if (file === undefined) form.append(name, value)
    else form.append(name, new File([new Uint8Array(fixtureFile(file).content)], file, { type: type ?? '' }))
  }
  const url = path.startsWith('/~') ? new URL(path, sandbox).href : sandbox + path
  const allHeaders = new Headers({ authorization: 'Bearer token-admin' })
  for (const name of omittedHeaders) allHeaders.delete(name)
  for (const [name, value] of headers) allHeaders.set(name, value)
  if (data !== undefined && !allHeaders.has('content-type')) allHeaders.set('content-type', 'application/json')
  const body = fields.length > 0 ? form : data
  return fetch(url, { method, headers: allHeaders, redirect: 'manual', body })
}
