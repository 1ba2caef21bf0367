import { textOf } from '../../../schemas/cites.js'
import type { Annotation } from '../../text/annotation.js'
import type { Verification } from '../verify.js'
import { countsWhenStrict, sentence, tellingOf } from './results.js'

/** What is otherwise, and what could not be judged, as annotations: what makes the run fail is an error. */
export function asAnnotations({ findings, contracts, unavailable }: Verification, strict: boolean): Annotation[] {
  const otherwise = contracts
    .flatMap(({ id }) => tellingOf(id, findings.all))
    .map((one): Annotation => {
      const { state, operation, cites } = one
      const fails = state === 'drift' || (strict && countsWhenStrict(one))
      const [first] = cites
      return {
        level: fails ? 'error' : 'warning',
        title: `${state}: ${operation} (${cites.join(', ')})`,
        message: [sentence(one), ...(first === undefined ? [] : [`${first}: ${textOf(first)}`])].join('\n'),
      }
    })
  const unjudged = unavailable.map((message): Annotation => ({ level: 'error', title: 'unavailable', message }))
  return [...otherwise, ...unjudged]
}
