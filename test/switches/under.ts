import type { Test } from 'tap'
import { defaultSwitches, type Switches } from '../../src/api/switches.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { build, type Changes, type Server, send } from '../helper.js'

/** Every switch at another value than its default; a new one that is left out does not compile. */
export const others = {
  successStatus: 201,
  errorBody: { code: '{status}', errors: [{ detail: 'E{status}: {message}' }], ok: false, list: [1, 'a', null] },
  missingUserType: 401,
  keywordMatch: 'any',
  emptyKeyword: 'ignore',
  unknownSort: 'ignore',
  unknownOrganization: 404,
  pendingInvitation: 'conflict',
  unknownInvitationOrganization: 404,
  verifyScope: 'anyone',
  emptyName: 'absent',
  signingLinkBody: { data: { url: '{link}', to: 'for {email}', at: '{created_at}', days: 30 } },
  emptyFields: 'invalid',
  permissionReach: 'everywhere',
  attachmentStatus: 'any',
  successWords: { addOrganizationMember: { status: 'ok', message: 'Sent.' }, verifyDocument: { message: 'Fine.' } },
  timestamps: 'seconds',
} as const satisfies Required<Switches>

function switchesBut(some: Partial<Switches>): Switches {
  return { ...defaultSwitches, ...some }
}

export function under(t: Test, some: Partial<Switches>): Promise<Server> {
  return build(t, { switches: switchesBut(some) })
}

export async function answer(server: Server, contract: Contract, changes?: Changes) {
  const response = await send(server, contract, changes)
  return { status: response.statusCode, body: response.json() }
}
