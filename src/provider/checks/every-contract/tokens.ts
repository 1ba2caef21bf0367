import type { Cites } from '../../../../schemas/cites.js'
import { type Contract, isRead } from '../../../../schemas/contract.js'
import type { Token } from '../../calls/call.js'
import type { Answer } from '../../calls/send.js'
import type { Check } from '../check.js'
import { judge } from '../judge.js'
import { orderOf } from '../known-data.js'
import { isSuccess, type Session, send } from '../session.js'

const TOKENS: readonly { readonly token: Token | null; readonly words: string }[] = [
  { token: null, words: 'A call without a token' },
  { token: { header: 'authorization', whose: 'nobody at all' }, words: 'A call with an empty token' },
  { token: { header: 'authorization', whose: 'nobody' }, words: 'A call with a wrong token' },
]

/** Nobody's calls: even a provider that carries them out does so for nobody. */
export function tokenChecks(contract: Contract): Check[] {
  const others = contract.tokenHeaders.slice(1).map((header) => ({
    token: { header, whose: 'nobody' } as const,
    words: `A call with a wrong token in '${header}'`,
  }))
  return [...TOKENS, ...others].map(({ token, words }) => ({
    cites: ['SA.4', 'SA.1'],
    run: async (session) => {
      const answer = await send(session, contract, undefined, { token })
      const accepted = isSuccess(answer) && !isRead(contract)
      if (accepted)
        session.findings.leaves(`what ${contract.id} did when it was called ${words.replace('A call ', '')}`)
      const otherwise = orderOf(session, contract)
      const refused = judge(session, answer, { status: 401, cites: ['SA.4', 'SA.1'], call: words, otherwise })
      if (token === null) comparePath(session, answer, refused)
    },
  }))
}

/** That a call is refused for its token shows that there is an operation to be called. */
function comparePath({ findings }: Session, { call: { contract }, status }: Answer, refused: boolean): void {
  const cites: Cites = [contract.cites[0], 'S0.1', 'S0.4']
  if (refused) findings.holds(cites, contract.id)
  else if (status === 404 || status === 405)
    findings.drifts({
      cites: [contract.cites[0]],
      operation: contract.id,
      where: 'status',
      message: `${contract.method} ${contract.path} is answered with ${status}: this operation does not seem to exist.`,
    })
}
