import type { Unreachable } from '../../../provider/forward/failures.js'
import type { Target } from '../../../provider/forward/target.js'
import { Problem } from '../../problems.js'

/** What the mock says where the provider says nothing. */
export function providerProblem({ timedOut, message }: Unreachable, { url }: Target): Problem {
  return new Problem(timedOut ? 'provider-timeout' : 'provider-unreachable', message, { provider: url })
}
