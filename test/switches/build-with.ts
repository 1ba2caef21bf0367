import type { Test } from 'tap'
import { api } from '../../src/api/index.js'
import { type SwitchSettings, switches } from '../../src/api/switches.js'
import { applySwitches, contractsOf } from '../../src/engine/api.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { defaultValues, type SwitchValues } from '../../src/engine/contract/switches.js'
import { build, type Changes, type Server, send } from '../helper.js'

export type Switches = Partial<SwitchSettings>

/** A value for each switch, other than its default; it does not compile if a switch is missing. */
export const otherValues = {
  successStatus: 201,
  errorBody: { code: '{status}', errors: [{ detail: 'E{status}: {message}' }], ok: false, list: [1, 'a', null] },
  missingUserType: 401,
  unknownOrganization: 404,
  pendingInvitation: 'conflict',
  signingLinkBody: { data: { url: '{link}', to: 'for {email}', at: '{created_at}', days: 30 } },
} as const satisfies { readonly [Name in keyof typeof switches]: unknown }

function valuesWith(values: Switches): SwitchValues {
  return { ...defaultValues(switches), ...values }
}

export function contractsWith(values: Switches): readonly Contract[] {
  return contractsOf(applySwitches(api, valuesWith(values)))
}

export function buildWith(t: Test, values: Switches): Promise<Server> {
  return build(t, { switches: valuesWith(values) })
}

export async function answer(server: Server, contract: Contract, changes?: Changes) {
  const response = await send(server, contract, changes)
  return { status: response.statusCode, body: response.json() }
}
