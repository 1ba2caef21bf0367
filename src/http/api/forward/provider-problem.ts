import { NoAnswer, type Unreachable } from '../../../provider/forward/failures.js'
import type { Target } from '../../../provider/forward/target.js'
import { Problem } from '../../problems.js'

/** What the mock says where the provider says nothing. */
export function providerProblem(error: Unreachable, { url }: Target): Problem {
  const { timedOut, message } = error
  const detail = error instanceof NoAnswer ? message : `${message} With --fallback the mock answers in the meantime.`
  return new Problem(timedOut ? 'provider-timeout' : 'provider-unreachable', detail, { provider: url })
}
