import type { ExchangeEntry, ViolationEntry } from '../../../../../engine/journal/entry.js'
import { fixIn, useLanguage } from '../../parts/language.js'
import { Badge } from '../../parts/texts.js'

export function Violations({ of, said }: { readonly of: readonly ViolationEntry[]; readonly said: string }) {
  const language = useLanguage()
  if (of.length === 0) return null
  const distinct = of.filter(({ message }, at) => of.findIndex((one) => one.message === message) === at)
  return (
    <section aria-labelledby="violations-title">
      <h3 id="violations-title">Violations</h3>
      {distinct.map(({ code, message, where, fix, rule, basis, cites, expected }) => (
        <article key={message} class={`violation ${basis} ${expected ? 'expected' : ''}`}>
          <p class="row">
            <Badge kind={basis} />
            {expected && <Badge kind="expected" />}
            <code>{code}</code>
            <code class="quiet">
              <bdi>{where}</bdi>
            </code>
          </p>
          {message !== said && (
            <p>
              <bdi>{message}</bdi>
            </p>
          )}
          <p>
            <strong>Fix:</strong> <bdi>{fixIn(language, fix)}</bdi>
          </p>
          {rule !== undefined && (
            <p class="rule quiet">
              {cites.map((cite) => (
                <a key={cite} href={`docs#${cite}`}>
                  {cite}
                </a>
              ))}
              <bdi>{withCode(rule.replace(`${cites[0]}: `, ''))}</bdi>
            </p>
          )}
        </article>
      ))}
    </section>
  )
}

function withCode(text: string) {
  return text
    .split(/(`[^`]+`)/)
    .map((piece, at) => (piece.startsWith('`') ? <code key={at}>{piece.slice(1, -1)}</code> : piece))
}

export function Deviations({ of }: { readonly of: ExchangeEntry['deviations'] }) {
  if (of.length === 0) return null
  return (
    <section aria-labelledby="deviations-title">
      <h3 id="deviations-title">Deviations</h3>
      {of.map(({ code, message, where, meant }, at) => (
        <article key={at} class="violation deviation">
          <p class="row">
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

/** Empty for a success as usual. */
export function reasonFor(cause: string, why: string, violation?: { readonly message: string }): string {
  const [, scenario, rule] = /^scenario:(.*)#(\d+)$/.exec(cause) ?? []
  if (scenario !== undefined) return `Rule ${rule} of the scenario ${scenario} answered.`
  const reason = cause === 'prefer' ? why : (violation?.message ?? why)
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}
