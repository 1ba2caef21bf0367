import { useState } from 'preact/hooks'
import type { ExchangeEntry } from '../../../world/journal/entry.js'
import { linkTo } from '../../address.js'
import { call } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { Problem } from '../../parts/problem.js'
import { scenarioPath, switchScenario } from '../../scenarios.js'

/** Has every call of the operation answered as this one was. */
export function FromNowOn({ exchange: { id, operation } }: { readonly exchange: ExchangeEntry }) {
  const { run, busy, failure } = useAct()
  const [defined, setDefined] = useState('')
  if (operation === null) return null
  const name = `answer-${operation}`
  const define = () =>
    run(async () => {
      const rule = await call<object>(`requests/${encodeURIComponent(id)}?format=rule`)
      const body = {
        description: `Answers every call of ${operation} as ${id} was answered.`,
        rules: [rule],
        active: true,
      }
      await replaceForced(operation, name, body)
      setDefined(name)
    })
  return (
    <>
      <button type="button" class="small" aria-busy={busy} onClick={define}>
        Answer this from now on
      </button>
      <span role="status">
        {defined !== '' && (
          <>
            by the scenario <a href={linkTo('scenarios', defined)}>{defined}</a>
          </>
        )}
      </span>
      <Problem failure={failure} />
    </>
  )
}

/** An outcome of the operation that is on would answer in its place. */
async function replaceForced(operation: string, name: string, body: object): Promise<void> {
  await call(scenarioPath(name), { method: 'PUT', body })
  const { meta } = await call<{ meta: { active: readonly string[] } }>('scenarios')
  const forced = meta.active.filter((one) => one.startsWith(`${operation}:`))
  for (const one of forced) await switchScenario(one, false)
}
