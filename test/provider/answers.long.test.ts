import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { listCreditHistories, verifyDocument } from '../../schemas/index.js'
import { defaultReadings } from '../../schemas/readings.js'
import type { Mutant } from '../../src/coverage/mutants/mutant.js'
import { mutantsOf } from '../../src/coverage/mutants/mutants.js'
import { verifyProvider } from '../../src/provider/verify.js'
import { listening } from '../wire.js'
import { forEach, share } from './share.js'

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
    if (!findings.all.some(({ state }) => state === 'drift')) unseen.push(mutant.id)
  })
  const open = unseen.filter((id) => why(all.find((one) => one.id === id) as Mutant) === undefined)
  t.strictSame(open.sort(), [])
})
