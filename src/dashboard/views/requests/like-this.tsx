import { useState } from 'preact/hooks'
import type { Rule } from '../../../../schemas/scenario.js'
import type { ExchangeEntry } from '../../../world/journal/entry.js'
import { linkTo } from '../../address.js'
import { useAdminQuery } from '../../admin-query.js'
import { call } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { answerCalls, NextCalls } from '../../parts/next-calls.js'
import { Problem } from '../../parts/problem.js'
import type { ScenarioList } from '../../shapes.js'

/** Decides how the operation's other calls are answered: like this one, or differently. */
export function LikeThis({ exchange: { id, operation } }: { readonly exchange: ExchangeEntry }) {
  const { data, refresh } = useAdminQuery<ScenarioList>('scenarios', ['scenarios', 'exchanges'])
  const { run, busy, failure } = useAct()
  const [defined, setDefined] = useState('')
  if (operation === null) return null
  const define = () =>
    run(async () => {
      setDefined(await answerCalls(operation, await call<Rule>(`requests/${encodeURIComponent(id)}?format=rule`)))
      refresh()
    })
  return (
    <section aria-labelledby="next-title">
      <h3 id="next-title">Next calls</h3>
      {data && <NextCalls list={data} refresh={refresh} operation={operation} />}
      <p class="copies">
        <button type="button" class="small" aria-busy={busy} onClick={define}>
          {`Answer all ${operation} calls like this`}
        </button>
        <span role="status">
          {defined !== '' && (
            <>
              by the scenario <a href={linkTo('scenarios', defined)}>{defined}</a>
            </>
          )}
        </span>
      </p>
      <Problem failure={failure} />
    </section>
  )
}
