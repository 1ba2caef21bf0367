import type { Finding, Findings } from '../../../coverage/mutants/findings.js'

/** How much of what each outcome says a suite looks at. */
export type Looked = ReadonlyMap<string, { readonly noticed: number; readonly met: number }>

/** By outcome: how many of its mutants the last run met, and noticed. */
export function lookedAt(lastRun: Findings | null | undefined): Looked {
  const looked = new Map<string, { noticed: number; met: number }>()
  for (const { outcome, state } of met(lastRun)) {
    const { noticed = 0, met = 0 } = looked.get(outcome) ?? {}
    looked.set(outcome, { noticed: noticed + (state === 'noticed' ? 1 : 0), met: met + 1 })
  }
  return looked
}

/** What the last run of `countersign mutate` found, and what it did not. */
export function LastRun({ of }: { readonly of: Findings | null | undefined }) {
  const tried = met(of)
  const unnoticed = tried.filter(({ state }) => state === 'unnoticed')
  if (tried.length === 0) return null
  return (
    <section class="last-run" aria-labelledby="last-run-title">
      <h2 id="last-run-title">Last run of mutate</h2>
      <p class="quiet">
        The suite noticed {tried.length - unnoticed.length} of {tried.length} mutants.
        {unnoticed.length > 0 && ' No test looks at these:'}
      </p>
      <ul>
        {unnoticed.map(({ id, rule, due, got, force }) => (
          <li key={id}>
            <details>
              <summary>
                <code>{id}</code>
              </summary>
              <p>{rule}</p>
              <pre>{`- ${due}\n+ ${got}\n${force}`}</pre>
            </details>
          </li>
        ))}
      </ul>
    </section>
  )
}

function met(lastRun: Findings | null | undefined): readonly Finding[] {
  return (lastRun?.mutants ?? []).filter(({ state }) => state !== 'notMet')
}
