import type { Cites } from '../../../../schemas/cites.js'
import type { Contract } from '../../../../schemas/contract.js'
import { type Token, withoutFields } from '../../calls/call.js'
import type { Check } from '../check.js'
import { judge } from '../judge.js'
import { harmless } from './refusal.js'

/** A caller who may not do what the operation asks permission for. */
export function permissionChecks(contract: Contract): Check[] {
  if (contract.permission === undefined) return []
  const cites: Cites = ['SA.5', 'SE.2']
  return [
    {
      cites,
      needs: 'a second token',
      run: async (session) => {
        const { request } = session.allowWrites
          ? { request: withoutFields(session.values.complete(contract)) }
          : harmless(session, contract, '')
        const token: Token = { header: 'authorization', whose: 'user without permission' }
        const answer = await session.client.send({ contract, token, ...request })
        if (answer.status === 401) {
          session.findings.unchecked(
            cites,
            contract.id,
            'The token of --token-without-permission is not accepted there.',
          )
          return
        }
        const otherwise = (status: number) =>
          status === 404 && (!session.allowWrites || !session.isKnown(contract)) ? ('I-03' as const) : undefined
        judge(session, answer, { status: 403, cites, call: 'A call of a user without the permission', otherwise })
      },
    },
  ]
}
