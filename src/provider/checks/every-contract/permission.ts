import type { Cites } from '../../../../schemas/cites.js'
import { type Contract, isRead } from '../../../../schemas/contract.js'
import { type Token, withoutFields } from '../../calls/call.js'
import type { Check } from '../check.js'
import { judge } from '../judge.js'
import { type Session, send } from '../session.js'
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
        if (answer.status === 401 && !(await isAccepted(session, token))) {
          const message = 'The provider does not accept the token of --token-without-permission.'
          return session.findings.unchecked(cites, contract.id, message)
        }
        const otherwise = (status: number) =>
          status === 404 && (!session.allowWrites || !session.isKnown(contract)) ? ('I-03' as const) : undefined
        judge(session, answer, { status: 403, cites, call: 'A call by a user without the permission', otherwise })
      },
    },
  ]
}

/** Whether some other operation, which asks for no permission, takes a token. */
async function isAccepted(session: Session, token: Token): Promise<boolean> {
  for (const contract of session.contracts.filter((one) => isRead(one) && one.permission === undefined)) {
    const { status } = await send(session, contract, undefined, { token })
    if (status !== 401) return true
  }
  return false
}
