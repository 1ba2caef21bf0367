import type { Verification } from '../verify.js'
import { countsWhenStrict } from './results.js'

/** What a run comes to, as an exit status: 0 as documented, 1 otherwise, 3 where the service could not be judged. */
export function exitStatus(
  { findings, unavailable }: Pick<Verification, 'findings' | 'unavailable'>,
  strict: boolean,
): 0 | 1 | 3 {
  const wrong = findings.all.some((one) => one.state === 'drift' || (strict && countsWhenStrict(one)))
  if (wrong) return 1
  return unavailable.length > 0 ? 3 : 0
}
