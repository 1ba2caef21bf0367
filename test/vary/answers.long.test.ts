import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t, { type Test } from 'tap'
import { type Contract, statusesOf } from '../../schemas/contract.js'
import {
  addOrganizationMember,
  createSigningLink,
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
} from '../../schemas/index.js'
import { defaultReadings } from '../../schemas/readings.js'
import { contractsServed } from '../../schemas/variations.js'
import { checkAnswer } from '../../src/validation/deviations.js'
import type { Settings } from '../../src/world/settings.js'
import { all, build, type Changes, lastExchange, requestOf, send } from '../helper.js'
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

/** An answer, as a program reads it that knows what to expect. */
type Answer = Omit<Response, 'json'> & { json(): Promise<ReturnType<typeof JSON.parse>> }
/** A call as a program makes it, over a socket. */
type Call = (contract: Contract, changes?: Changes) => Promise<Answer>

async function caller(t: Test, vary: boolean): Promise<Call> {
  const server = await build(t, { vary })
  const url = await server.listen()
  return (contract, changes) => {
    const { url: path, method, headers, payload } = requestOf(contract, changes)
    return fetch(`${url}${path}`, {
      method: method as string,
      headers: headers as Record<string, string>,
      ...(payload !== undefined && { body: payload as Buffer }),
    })
  }
}

/** Clients that lean on what the document does not say; each reads a success or an error of an operation. */
const leaning: Readonly<Record<string, (call: Call) => Promise<boolean>>> = {
  "status === 'success'": async (call) => (await (await call(uploadSignature)).json()).status === 'success',
  'the message of a success': async (call) =>
    (await (await call(addOrganizationMember)).json()).message.startsWith('Invitation sent'),
  'a status of 200 alone': async (call) => (await call(verifyDocument)).status === 200,
  'one error body': async (call) => {
    const response = await call(uploadSignature, { headers: { authorization: undefined } })
    return (await response.json()).error?.code === 401
  },
  'the order of keys': async (call) => (await (await call(uploadSignature)).text()).startsWith('{"status":'),
  milliseconds: async (call) => (await (await call(verifyDocument)).json()).document.verified_at.length === 24,
  'no other fields': async (call) => Object.keys(await (await call(addOrganizationMember)).json()).length === 2,
}

for (const [what, passes] of Object.entries(leaning)) {
  t.test(`a client that leans on ${what} passes without --vary, and fails with it`, async (t) => {
    const [plainly, varying] = [await caller(t, false), await caller(t, true)]
    const [without, within] = [[], []] as [boolean[], boolean[]]
    for (let time = 0; time < 30; time++) {
      without.push(await passes(plainly))
      within.push(await passes(varying))
    }
    t.ok(without.every(Boolean), 'without it')
    t.ok(within.includes(false), 'with it')
  })
}

const isText = (value: unknown) => typeof value === 'string'
const isUtc = (value: unknown) => isText(value) && /Z$/.test(String(value)) && !Number.isNaN(Date.parse(String(value)))

/** A client that reads what the document says, and no more: whether an answer is what it asked for. */
const documented: readonly ((call: Call) => Promise<boolean>)[] = [
  async (call) => {
    const response = await call(uploadSignature)
    const { status, message, signature_id } = await response.json()
    return response.ok && [status, message, signature_id].every(isText)
  },
  async (call) => {
    const response = await call(updateSubOrganizationMember, { form: { first_name: 'Ada' } })
    const { data } = await response.json()
    return response.ok && Number.isInteger(data.id) && data.first_name === 'Ada' && isText(data.role)
  },
  async (call) => {
    const response = await call(verifyDocument)
    const { status, document } = await response.json()
    return response.ok && status === 'verified' && isText(document.code) && isUtc(document.verified_at)
  },
  async (call) => {
    const response = await call(searchProtectedAttachments)
    const { data } = await response.json()
    return (
      response.ok && data.every((one: { project_file_meta: string }) => JSON.parse(one.project_file_meta).pages > 0)
    )
  },
  async (call) => {
    const response = await call(listCreditHistories, { query: { sort: 'created_at', order: 'desc' } })
    const { page, total, histories } = await response.json()
    const times = histories.map((one: { created_at: string }) => Date.parse(one.created_at))
    const ordered = times.every((time: number, at: number) => at === 0 || time <= times[at - 1])
    return response.ok && page === 1 && total >= histories.length && ordered
  },
  async (call) => {
    const response = await call(listCreditHistories, { query: { page: undefined } })
    const { error } = await response.json()
    return response.status === 400 && error.code === 400 && error.message.includes('page')
  },
  async (call) => {
    const { status } = await call(addOrganizationMember, { form: { 'data[0][email]': 'li.jun@example.test' } })
    return status === 409
  },
  async (call) => {
    const response = await call(addOrganizationMember)
    const { status, message } = await response.json()
    return response.ok && isText(status) && isText(message)
  },
  async (call) => {
    const response = await call(createSigningLink)
    const { link } = await response.json()
    return response.status === 200 && URL.canParse(link)
  },
  async (call) => (await call(verifyDocument, { form: { code: 'DOC-1999-0001', file: undefined } })).status === 404,
]

t.test('a client that reads what is documented passes a thousand varied answers', async (t) => {
  const call = await caller(t, true)
  const failed = new Set<number>()
  for (let time = 0; time < 1_000; time++) {
    const reads = time % documented.length
    if (!(await documented[reads]!(call))) failed.add(reads)
  }
  t.strictSame([...failed], [], 'none fails')
})
