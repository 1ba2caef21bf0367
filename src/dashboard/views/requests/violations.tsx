import type { ExchangeEntry, ViolationEntry } from '../../../world/journal/entry.js'
import { Badge } from '../../parts/texts.js'

/** How the request departs from the contract, and what to do about it; a message that was said is not repeated. */
export function Violations({ of, said }: { readonly of: readonly ViolationEntry[]; readonly said: string }) {
  if (of.length === 0) return null
  // Each message once, however many fields it is about.
  const distinct = [...new Map(of.toReversed().map((one) => [one.message, one])).values()].reverse()
  return (
    <section aria-labelledby="violations-title">
      <h3 id="violations-title">Violations</h3>
      {distinct.map(({ code, message, where, fix, rule, basis, cites, expected, count }) => (
        <article key={message} class={`violation ${basis} ${expected ? 'expected' : ''}`}>
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
            <p>
              <bdi>{message}</bdi>
            </p>
          )}
          <p>
            <strong>Fix:</strong> <bdi>{fix}</bdi>
          </p>
          <p class="rule quiet">
            {cites.map((cite) => (
              <a key={cite} href={`docs#${cite}`}>
                {cite}
              </a>
            ))}
            {rule !== undefined && <bdi>{withCode(rule.replace(`${cites[0]}: `, ''))}</bdi>}
          </p>
        </article>
      ))}
    </section>
  )
}

/** A sentence of ours, in which `code` is set as code. */
function withCode(text: string) {
  return text
    .split(/(`[^`]+`)/)
    .map((piece, at) => (piece.startsWith('`') ? <code key={at}>{piece.slice(1, -1)}</code> : piece))
}

/** How the answer departs from the contract. */
export function Deviations({ of }: { readonly of: ExchangeEntry['deviations'] }) {
  if (of.length === 0) return null
  return (
    <section aria-labelledby="deviations-title">
      <h3 id="deviations-title">Deviations</h3>
      {of.map(({ code, message, where, meant }, at) => (
        <article key={at} class="violation deviation">
          <p class="marks">
            <Badge kind={meant ? 'expected' : 'deviation'} text={meant ? 'on purpose' : 'answer'} />
            <code>{code}</code>
            <code class="quiet">{where}</code>
          </p>
          <p>
            <bdi>{message}</bdi>
          </p>
        </article>
      ))}
    </section>
  )
}
