import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { serve } from '../binary.js'
import { filled, fits, readCases, type Step, sendStep } from './case.js'

const FOLDER = fileURLToPath(new URL('../cases/', import.meta.url))
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.txt'))

t.test('what users may write down as text is what the binary answers', async (t) => {
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
  for (const name of step.absent) t.equal(response.headers.get(name), null, `${place} ${name} is absent`)
  const body = step.body.trim()
  if (body === '') return
  if (response.headers.get('content-type')?.includes('json')) {
    const actual = JSON.parse(text)
    t.same(actual, filled(JSON.parse(body), actual), `${place} has its body`)
  } else t.ok(fits(text.trim(), body), `${place} has its body`, { wanted: body, found: text })
}

t.test('the cases call every operation', async (t) => {
  const paths = files.flatMap((file) => readCases(FOLDER + file).flatMap(({ steps }) => steps.map(({ path }) => path)))
  for (const { id, path } of contracts) {
    const route = new RegExp(`^(/~[^/]+)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`)
    t.not(
      paths.find((one) => route.test(one)),
      undefined,
      `a case calls ${id}`,
    )
  }
})

t.test('a case is only as good as what tells it from another', async (t) => {
  t.ok(fits('scenario:a#1', 'scenario:*'), 'a star stands for any text')
  t.notOk(fits('prefer', 'scenario:*'), 'what is beside the star must be there')
  t.notOk(fits('axb', 'a.b'), 'a dot is a dot')
  t.same(filled({ a: '*', b: 'x*' }, { a: 1, b: 'xyz', c: 2 }), { a: 1, b: 'xyz' }, 'other keys are not expected')
  t.same(filled({ a: 1, '*': '*' }, { a: 2, c: 2 }), { a: 1, c: 2 }, 'unless a star says so')
  t.same(filled([1, '*'], [1, 2, 3]), [1, 2, 3], 'a list goes on where its last item is a star')
  t.same(filled([1], [1, 2]), [1], 'a list ends where its last item is no star')
})
