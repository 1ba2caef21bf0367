import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { listCreditHistories, verifyDocument } from '../../schemas/index.js'
import { defaultReadings } from '../../schemas/readings.js'
import type { Mutant } from '../../src/coverage/mutants/mutant.js'
import { mutantsOf } from '../../src/coverage/mutants/mutants.js'
import { verifyProvider } from '../../src/provider/verify.js'
import { run } from '../command-line.js'
import { build } from '../helper.js'
import { listening } from '../wire.js'
import { mutatingProvider } from './mutating-provider.js'
import { forEach, share } from './share.js'
import { TOKEN } from './stub.js'

const all = (contracts as readonly Contract[]).flatMap(mutantsOf)

/** What only who knows the provider's records, or its mail, can see. */
const UNSEEN: Readonly<Record<string, string>> = {
  'addOrganizationMember:200/effect/without-effect': 'the mail goes to somebody else',
  'uploadSignature:200/effect/without-effect': 'no operation tells what is stored',
  'searchProtectedAttachments:200/answer/status-404': 'nothing may match',
  'searchProtectedAttachments:200/data/empty-list': 'nothing may match',
  'searchProtectedAttachments:200/data/last-gone': 'as many as there are may match',
  'updateSubOrganizationMember:200/answer/status-400': 'its members may need other values',
  'verifyDocument:200/answer/status-404': 'no document may be known',
  'verifyDocument:200/answer/status-422': 'no document may be sound',
  'verifyDocument:404/answer/status-422': 'an unknown document may be one that cannot be verified',
  'verifyDocument:422/answer/status-400': 'a damaged file may be invalid input',
  'verifyDocument:422/answer/status-404': 'a damaged file may be an unknown document',
}

function why({ id, outcome }: Mutant): string | undefined {
  return outcome.endsWith(':500') ? 'verify provokes no server error' : UNSEEN[id]
}

t.test('verify finds what mutants make untrue, so none of them is as good as true', async (t) => {
  const { server, port } = await listening(t, { journalSize: 1 })
  const unseen: string[] = []
  await forEach([...share(all, 4).entries()], async ([at, mutant]) => {
    const scenario = `/~m${at}/__admin/scenarios/${encodeURIComponent(`mutant:${mutant.id}`)}`
    const put = await server.app.inject({ method: 'PUT', url: scenario, payload: { active: true } })
    if (put.statusCode !== 200) throw new Error(put.body)
    // Another operation shows that the provider is there, and takes the token.
    const other = mutant.operation === verifyDocument.id ? listCreditHistories : verifyDocument
    const looked = contracts.filter(({ id }) => id === mutant.operation || id === other.id)
    const url = `http://127.0.0.1:${port}/~m${at}`
    const target = { url, token: 'token-admin', tokenWithoutPermission: 'token-member', headers: [], timeout: 30_000 }
    const { findings } = await verifyProvider(defaultReadings, looked, { ...target, retries: 0 }, { allowWrites: true })
    if (!findings.some(({ state }) => state === 'drift')) unseen.push(mutant.id)
  })
  const open = unseen.filter((id) => why(all.find((one) => one.id === id) as Mutant) === undefined)
  t.strictSame(open.sort(), [])
})

const PERSONAL = [
  'Ada Lovelace',
  'Lovelace',
  'ada.lovelace@corp.example',
  'sk_live_51H8xQ2eZvKYlo2C',
  'token-admin',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  '+45 12 34 56 78',
  'DE89370400440532013000',
  '12 Harbour Street, Copenhagen',
]

t.test('what is personal never gets in, wherever it stands', async (t) => {
  let at = 0
  const spoilt = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => spoilt(one))
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(([name, one]) => [name, spoilt(one, name)])
      const extra = PERSONAL.map((one, nth) => (nth % 2 === 0 ? [one, { [one]: one }] : [`field_${nth}`, [one, one]]))
      return Object.fromEntries([...entries, ...extra])
    }
    if (typeof value !== 'string') return value
    // What the provider is recognized by stays.
    return /^(?:id|signature_id|organization_uuid|created_at|verified_at|link)$/.test(key)
      ? value
      : PERSONAL[at++ % PERSONAL.length]
  }
  const provide = await mutatingProvider(t, await build(t, { journalSize: 1 }))
  for (const which of ['all', 'words'] as const) {
    const url = provide({
      name: 'personal',
      cites: ['S0.5'],
      tell: (told) => {
        if (which === 'all') told.body = spoilt(told.body)
        // One name in the place of every word, the same each time.
        else if ('status' in told.body || 'message' in told.body)
          Object.assign(told.body, { status: 'Lovelace', message: 'Lovelace was here.', kind: 'Ada Lovelace' })
        told.headers['content-type'] = `application/json; profile="${PERSONAL[2]}"`
      },
    })
    const file = join(t.testdir({}), 'verify.json')
    await run(t, ['verify', '--target', url, '--token', TOKEN, '--allow-writes', '--json', file])
    const text = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')).switches)
    for (const one of PERSONAL) t.notOk(text.includes(one), `${which}: no switch has ${one}`)
    t.notMatch(text, /example\.test|Vestergaard|DOC-2025|vault|Harbour|Lease|REF-/, 'nothing of the records')
  }
})
