import type { ExchangeEntry, ViolationEntry } from '../../../world/journal/entry.js'
import { Badge } from '../../parts/marks.js'
import { Prose } from '../../parts/prose.js'

/** How the request departs from the contract, and what to do about it; a message that was said is not repeated. */
export function Violations({ of, said }: { readonly of: readonly ViolationEntry[]; readonly said: string }) {
  if (of.length === 0) return null
  return (
    <section aria-labelledby="violations-title">
      <h3 id="violations-title">Violations</h3>
      {distinct(of).map((one, at) => (
        <Violation key={at} of={one} said={said} />
      ))}
    </section>
  )
}

/** Each message once, however many fields it is about. */
function distinct(of: readonly ViolationEntry[]): readonly ViolationEntry[] {
  return of.filter(({ message }, at) => of.findIndex((one) => one.message === message) === at)
}

function Violation({ of, said }: { readonly of: ViolationEntry; readonly said: string }) {
  const { code, message, where, fix, rule, basis, cites, expected, count } = of
  return (
    <article class={`violation ${basis} ${expected ? 'expected' : ''}`}>
      <p class="marks">
        <Badge kind={basis} />
        {expected && <Badge kind="expected" />}
        <code>{code}</code>
        <code class="quiet">
          <bdi>{where}</bdi>
        </code>
        {count !== undefined && <span class="quiet">{count} times</span>}
      </p>
      {message !== said && (
        <p class="message">
          <bdi>{message}</bdi>
        </p>
      )}
      <p class="fix">
        <strong>Fix:</strong> <bdi>{fix}</bdi>
      </p>
      {(rule !== undefined || cites.length > 0) && (
        <p class="rule quiet">
          {cites.map((cite) => (
            <a key={cite} href={`docs#${cite}`}>
              {cite}
            </a>
          ))}
          {rule !== undefined && <Prose text={rule.replace(`${cites[0]}: `, '')} />}
        </p>
      )}
    </article>
  )
}

/** How the answer departs from the contract. */
export function Deviations({ of }: { readonly of: ExchangeEntry['deviations'] }) {
  if (of.length === 0) return null
  return (
    <section aria-labelledby="deviations-title">
      <h3 id="deviations-title">Deviations</h3>
      {of.map(({ code, message, where, meant }, at) => (
        <article key={at} class={`violation deviation ${meant ? 'expected' : ''}`}>
          <p class="marks">
            <Badge kind={meant ? 'expected' : 'deviation'} text={meant ? 'on purpose' : 'answer'} />
            <code>{code}</code>
            <code class="quiet">{where}</code>
          </p>
          <p class="message">
            <bdi>{message}</bdi>
          </p>
        </article>
      ))}
    </section>
  )
}
