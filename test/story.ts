import { createHash } from 'node:crypto'
import {
  addOrganizationMember,
  createSigningLink,
  listCreditHistories,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
} from '../schemas/index.js'
import type { Server } from '../src/server/create-server.js'
import { requestOf } from './helper.js'

/** What a test suite does in its world: reads, writes, conflicts, draws of chance; told as the digest of all answers and mails. */
export async function story({ app, worlds }: Server, sandbox?: string): Promise<string> {
  const world = sandbox === undefined ? worlds.root : worlds.sandbox(sandbox)
  world?.playback.activate('flaky')
  const answers: unknown[] = []
  const calls = [
    requestOf(uploadSignature, { sandbox }),
    requestOf(uploadSignature, { sandbox }),
    requestOf(updateSubOrganizationMember, { sandbox, form: { role: 'Admin' } }),
    requestOf(addOrganizationMember, { sandbox, form: { 'data[0][email]': 'story@example.test' } }),
    requestOf(addOrganizationMember, { sandbox, form: { 'data[0][email]': 'story@example.test' } }),
    requestOf(createSigningLink, { sandbox }),
    requestOf(verifyDocument, { sandbox }),
    ...Array.from({ length: 8 }, (_, at) => requestOf(listCreditHistories, { sandbox, query: { page: at + 1 } })),
  ]
  for (const call of calls) {
    const { statusCode, headers, payload } = await app.inject(call)
    answers.push([statusCode, headers['x-mock-exchange'], headers.date, payload])
  }
  answers.push(world?.outbox.messages(), world?.state.export())
  return createHash('sha256')
    .update(JSON.stringify(answers).replaceAll(`/~${sandbox}`, ''))
    .digest('hex')
}
