import type { ComponentChildren } from 'preact'
import type { ExchangeEntry, ViolationEntry } from '../../../../../engine/journal/entry.js'
import { fixIn, useLanguage } from '../../parts/call-buttons.js'
import { Badge, Section } from '../../parts/texts.js'

/** Omits a message that was shown already (`shownMessage`). */
export function Flaws({
  of: { violations, deviations },
  shownMessage,
}: {
  readonly of: ExchangeEntry
  readonly shownMessage: string
}) {
  const distinct = violations.filter(({ message }, at) => violations.findIndex((one) => one.message === message) === at)
  return (
    <>
      {distinct.length > 0 && (
        <Section title="Violations">
          {distinct.map((one) => (
            <Flaw key={one.message} badges={one.expected ? [one.basis, 'expected'] : [one.basis]} {...one}>
              {one.message !== shownMessage && <p>{one.message}</p>}
              <Fix of={one} />
            </Flaw>
          ))}
        </Section>
      )}
      {deviations.length > 0 && (
        <Section title="Deviations">
          {deviations.map((one, at) => (
            <Flaw key={at} badges={['deviation', one.meant ? 'on purpose' : 'answer']} {...one}>
              <p>{one.count > 1 ? `${one.message} (${one.count} of ${one.of} items)` : one.message}</p>
            </Flaw>
          ))}
        </Section>
      )}
    </>
  )
}

type FlawProps = { badges: readonly string[]; code: string; where: string; children: ComponentChildren }

function Flaw({ badges, code, where, children }: FlawProps) {
  return (
    <article class={`flaw ${badges.join(' ')}`}>
      <p class="row">
        {badges.map((one) => (
          <Badge key={one} kind={one} />
        ))}
        <code>{code}</code> <code class="quiet">{where}</code>
      </p>
      {children}
    </article>
  )
}

function Fix({ of: { fix, rule, cites } }: { readonly of: ViolationEntry }) {
  const language = useLanguage()
  const links = cites.flatMap((cite) => [
    <a key={cite} href={`docs#${cite}`}>
      {cite}
    </a>,
    ' ',
  ])
  const words = rule?.replace(`${cites[0]}: `, '').split('`') ?? []
  return (
    <>
      <p>
        <strong>Fix:</strong> <bdi>{fixIn(language, fix)}</bdi>
      </p>
      {rule !== undefined && (
        <p class="quiet">
          {links} {words.map((one, at) => (at % 2 === 1 ? <code key={at}>{one}</code> : one))}
        </p>
      )}
    </>
  )
}

/** Empty for an ordinary success. */
export function reasonFor(cause: string, why: string, violation?: { readonly message: string }): string {
  const [, scenario, rule] = /^scenario:(.*)#(\d+)$/.exec(cause) ?? []
  if (scenario !== undefined) return `Rule ${rule} of the scenario ${scenario} answered.`
  const reason = cause === 'prefer' ? why : (violation?.message ?? why)
  // An operation's name keeps its case.
  return reason.replace(/^[a-z]+(?!\w)/, (word) => word.charAt(0).toUpperCase() + word.slice(1))
}
