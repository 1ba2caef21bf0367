import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { serve } from '../binary.js'
import { filled, fits } from '../fits.js'
import { fixtureFile } from '../helper.js'
import { readCases, type Step } from './case.js'

const FOLDER = fileURLToPath(new URL('../cases/', import.meta.url))
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.txt'))

t.test('the binary answers as the text cases expect', async (t) => {
  const { url } = await serve(t, ['--seed', '1', '--clock', '2026-01-15T09:30:00Z'])
  let world = 0
  for (const file of files) {
    t.test(file, async (t) => {
      for (const { name, steps } of readCases(FOLDER + file)) {
        const own = `${url}/~case-${++world}`
        t.test(name, async (t) => {
          t.ok(steps.length > 0, 'it has a request')
          for (const step of steps) await check(t, step, await sendStep(step, own), `${file}:${step.line}`)
        })
      }
    })
  }
})

async function check(t: Test, step: Step, response: Response, place: string): Promise<void> {
  const text = await response.text()
  t.equal(response.status, step.status, `${place} has its status`, { answer: text })
  for (const [name, wanted] of step.expected) {
    const found = `${response.headers.get(name)}`
    t.ok(fits(found, wanted), `${place} has its header ${name}`, { wanted, found })
  }
  t.same([step.reported, step.corrected], [[], undefined], `${place} has no lines that are for mistakes`)
  for (const name of step.absent) t.equal(response.headers.get(name), null, `${place} ${name} is absent`)
  const body = step.body.trim()
  if (body === '') return
  if (response.headers.get('content-type')?.includes('json')) {
    const actual = JSON.parse(text)
    t.strictSame(actual, filled(JSON.parse(body), actual), `${place} has its body`)
  } else t.ok(fits(text.trim(), body), `${place} has its body`, { wanted: body, found: text })
}

function sendStep({ method, path, headers, unsent, fields, data }: Step, world: string): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of fields) {
    const [, file, type] = /^@([^;]+)(?:;type=(.+))?$/.exec(value) ?? []
    if (file === undefined) form.append(name, value)
    else form.append(name, new File([new Uint8Array(fixtureFile(file).content)], file, { type: type ?? '' }))
  }
  const url = path.startsWith('/~') ? new URL(path, world).href : world + path
  const sent = new Headers({ authorization: 'Bearer token-admin' })
  for (const name of unsent) sent.delete(name)
  for (const [name, value] of headers) sent.set(name, value)
  if (data !== undefined && !sent.has('content-type')) sent.set('content-type', 'application/json')
  const body = fields.length > 0 ? form : data
  return fetch(url, { method, headers: sent, redirect: 'manual', body })
}
