import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t, { type Test } from 'tap'
import { type Contract, statusesOf } from '../../schemas/contract.js'
import { defaultReadings } from '../../schemas/readings.js'
import { contractsServed } from '../../schemas/variations.js'
import { checkAnswer } from '../../src/validation/deviations.js'
import type { Settings } from '../../src/world/settings.js'
import { all, build, type Changes, lastExchange, send } from '../helper.js'
import { changesBetween, NAMES, namedIn, VARYING } from './plainly.js'

const FROZEN: Partial<Settings> = { ...VARYING, vary: false }
const TIMES = 100

/** Two equal worlds, of which one varies. */
async function pair(t: Test) {
  return [await build(t, FROZEN), await build(t, VARYING)] as const
}

const without = (...names: string[]): Changes => ({
  query: Object.fromEntries(names.map((name) => [name, undefined])),
})

/** What each operation is asked for, besides every outcome by its name. */
const natural: readonly (readonly [what: string, changes: Changes])[] = [
  ['a valid request', {}],
  ['no token', { headers: { authorization: undefined } }],
  ['nothing in the query', without('user_type', 'page', 'email', 'keyword[sample_1]')],
]

for (const contract of all) {
  const forced = statusesOf(contract).map(
    (status) => [`code=${status}`, { headers: { prefer: `code=${status}` } }] as const,
  )
  for (const [what, changes] of [...natural, ...forced]) {
    t.test(`${contract.id}, ${what}: only what X-Mock-Varied names is otherwise`, async (t) => {
      const [plainly, varying] = await pair(t)
      const [served] = contractsServed([contract], { readings: defaultReadings, chosen: {}, vary: true })
      const wrong: unknown[] = []
      for (let time = 0; time < TIMES; time++) {
        const [plain, varied] = [await send(plainly, contract, changes), await send(varying, contract, changes)]
        const { changes: seen, fits } = changesBetween(contract, plain, varied)
        const told = namedIn(varied)
        const same = JSON.stringify([...seen].sort()) === JSON.stringify([...told].sort())
        const { deviations } = lastExchange(varying)
        const answer = {
          status: varied.statusCode,
          contentType: `${varied.headers['content-type']}`,
          text: varied.payload,
        }
        const found = [
          ...deviations,
          ...checkAnswer(served as Contract, answer),
          ...checkAnswer(contract, answer).filter(({ basis }) => basis === 'documented'),
        ]
        if (same && fits && found.length === 0) continue
        wrong.push({ time, told: [...told], seen: [...seen], fits, found, body: varied.payload })
      }
      t.strictSame(wrong.slice(0, 3), [], 'what the document fixes stays, and each change is named', {
        wrong: wrong.length,
      })
    })
  }
}

t.test('over two hundred calls each variation occurs, wherever there is something to vary', async (t) => {
  const server = await build(t, VARYING)
  const seen = new Map<string, Set<string>>(NAMES.map((name) => [name, new Set()]))
  const calls: readonly (readonly [Contract, Changes])[] = all.flatMap((contract) =>
    natural.map(([, changes]) => [contract, changes] as const),
  )
  for (let time = 0; time < 200; time++) {
    const [contract, changes] = calls[time % calls.length]!
    for (const [name, value] of namedIn(await send(server, contract, changes))) seen.get(name)?.add(value)
  }
  const found = Object.fromEntries(Array.from(seen, ([name, values]) => [name, [...values].sort()]))
  t.strictSame(found, {
    status: ['201'],
    'error-body': ['code', 'flat', 'list', 'message', 'problem', 'text'],
    message: [''],
    'status-word': [''],
    timestamps: ['microseconds', 'seconds'],
    'extra-fields': [''],
    'key-order': [''],
  } satisfies Record<string, string[]>)
})

t.test('what the document shows of an operation is not varied', async (t) => {
  const server = await build(t, VARYING)
  const never: Readonly<Record<string, readonly string[]>> = {
    // S7.4 names its status; of its body only the time is ours to write otherwise.
    createSigningLink: ['status', 'message', 'status-word'],
    verifyDocument: ['status-word'],
    listCreditHistories: ['message', 'status-word'],
    searchProtectedAttachments: ['status-word', 'timestamps'],
  }
  for (const contract of all) {
    const names = new Set<string>()
    for (let time = 0; time < 60; time++) for (const [name] of namedIn(await send(server, contract))) names.add(name)
    for (const name of never[contract.id] ?? []) t.notOk(names.has(name), `${contract.id}: ${name}`)
    t.ok(names.has('key-order'), `${contract.id}: it varies otherwise`)
  }
  const histories = all.find(({ id }) => id === 'listCreditHistories') as Contract
  for (let time = 0; time < 60; time++) {
    const response = await send(server, histories, without('page'))
    const { error } = response.json()
    t.equal(error.code, 400, 'the error body of credit histories is shown (SE.7)')
    t.match(error.message, "'page'", 'its message names the missing parameter (SE.8)')
  }
})

type Node = { readonly [key: string]: Node }

/** What a tool that checks answers against a document says of them. */
function validator(document: Node) {
  const ajv = new Ajv2020({ strict: false, formats: { binary: true } })
  addFormats.default(ajv, ['uuid', 'email', 'date-time', 'uri'])
  ajv.addSchema(document, 'openapi')
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return ({ path, method }: Contract, status: number, body: unknown): unknown => {
    const declared = document.paths![path]![method.toLowerCase()]!.responses![status]
    if (declared === undefined) return `${status} is not declared`
    const segments = ['paths', path, method.toLowerCase(), 'responses', `${status}`, 'content', 'application/json']
    const pointer = [...segments, 'schema'].map((one) =>
      encodeURIComponent(one.replaceAll('~', '~0').replaceAll('/', '~1')),
    )
    const key = `openapi#/${pointer.join('/')}`
    const fits = compiled.get(key) ?? ajv.compile({ $ref: key })
    compiled.set(key, fits)
    return fits(body) ? null : fits.errors
  }
}

t.test('every varied answer fits the OpenAPI document that says it describes them', async (t) => {
  const varying = await build(t, VARYING)
  const plainly = await build(t, FROZEN)
  for (const [server, url, prefer] of [
    [varying, '/__admin/openapi.json', {}],
    [plainly, '/__admin/openapi.json?vary', { prefer: 'vary' }],
  ] as const) {
    const judge = validator((await server.app.inject(url)).json())
    for (const contract of all) {
      const wanted = [...natural.map(([, changes]) => changes), ...statusesOf(contract).map((code) => ({ code }))]
      for (const changes of wanted) {
        for (let time = 0; time < 40; time++) {
          const query = 'code' in changes ? { __code: `${changes.code}` } : {}
          const base = 'code' in changes ? {} : changes
          const response = await send(server, contract, {
            query: { ...base.query, ...query },
            headers: { ...base.headers, ...prefer },
          })
          const complaint = judge(contract, response.statusCode, response.json())
          if (complaint !== null)
            t.fail(`${url}: ${contract.id}:${response.statusCode}`, { complaint, body: response.payload })
        }
      }
    }
    t.pass(`${url} describes all of them`)
  }
})

t.test('the plain document does not describe what it does not have to', async (t) => {
  const statuses = (document: Node) => Object.keys(document.paths!['/client/signature']!.post!.responses!)
  const [plainly, varying] = await pair(t)
  const get = async (server: typeof plainly, url: string) => (await server.app.inject(url)).json()
  const plain = await get(plainly, '/__admin/openapi.json')
  t.strictSame(statuses(plain), ['200', '401', '422'], 'no 201')
  t.same(await get(varying, '/__admin/openapi.json?vary=false'), plain, 'a server that varies gives it, too')
  t.strictSame(statuses(await get(varying, '/__admin/openapi.json')), ['200', '201', '401', '422'], 'a 201')
  const older = await get(varying, '/__admin/openapi.json?version=3.0')
  t.strictSame(statuses(older), ['200', '201', '401', '422'], 'a 201 in 3.0')
  t.match(older.info.description, 'X-Mock-Varied', 'it says so')
})
