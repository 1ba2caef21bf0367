import type { Test } from 'tap'
import { api } from '../../src/api/index.js'
import { type SwitchSettings, switches } from '../../src/api/switches.js'
import { applySwitches, contractsOf } from '../../src/engine/api.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { defaultValues, type SwitchValues } from '../../src/engine/contract/switches.js'
import { build, type Changes, type Server, send } from '../helper.js'

export type Switches = Partial<SwitchSettings>

/** Every switch at another value than its default; a new one that is left out does not compile. */
export const others = {
  successStatus: 201,
  errorBody: { code: '{status}', errors: [{ detail: 'E{status}: {message}' }], ok: false, list: [1, 'a', null] },
  missingUserType: 401,
  unknownOrganization: 404,
  pendingInvitation: 'conflict',
  signingLinkBody: { data: { url: '{link}', to: 'for {email}', at: '{created_at}', days: 30 } },
} as const satisfies { readonly [Name in keyof typeof switches]: unknown }

function switchesBut(some: Switches): SwitchValues {
  return { ...defaultValues(switches), ...some }
}

export function contractsUnder(some: Switches): readonly Contract[] {
  return contractsOf(applySwitches(api, switchesBut(some)))
}

export function under(t: Test, some: Switches): Promise<Server> {
  return build(t, { switches: switchesBut(some) })
}

export async function answer(server: Server, contract: Contract, changes?: Changes) {
  const response = await send(server, contract, changes)
  return { status: response.statusCode, body: response.json() }
}
