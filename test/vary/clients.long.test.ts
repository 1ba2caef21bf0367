import t, { type Test } from 'tap'
import type { Contract } from '../../schemas/contract.js'
import {
  addOrganizationMember,
  createSigningLink,
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
} from '../../schemas/index.js'
import { build, type Changes, requestOf } from '../helper.js'

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
