import type { ExchangeEntry } from '../../../../../engine/journal/entry.js'
import { serialOf } from '../../../../../engine/journal/journal.js'
import { useAdminQuery } from '../../admin.js'
import type { ListedExchange } from '../../journal.js'
import { linkTo } from '../../page.js'
import { CopyButton, LanguageSwitch, useLanguage } from '../../parts/call-buttons.js'
import { Choice, Problem } from '../../parts/controls.js'
import { Panel } from '../../parts/panel.js'
import { Code, describeTime, reveal, Section, statusText } from '../../parts/texts.js'

const MAX_OFFERED = 30

/** Offers other requests of the same operation, the previous one first. */
export function CompareWith({ exchange, all }: { exchange: ExchangeEntry; all: readonly ListedExchange[] }) {
  const { id, operation } = exchange
  const ofOperation = all.filter((one) => one.operation === operation && one.id !== id)
  const earlier = ofOperation.filter((one) => serialOf(one.id) < serialOf(id))
  const others = [...new Set([...earlier, ...ofOperation])].slice(0, MAX_OFFERED)
  const labels = others.map((one) => `${one.id}, ${statusText(one)}, ${describeTime(one.at)}`)
  const open = (label: string) => {
    location.hash = linkTo('requests', label.split(',')[0] ?? '', id)
  }
  return labels.length > 0 && <Choice label="Compare with" none="Compare with …" of={labels} set={open} />
}

export function Comparison({ before, after }: { readonly before: string; readonly after: string }) {
  const language = useLanguage()
  const first = useText(before, language)
  const second = useText(after, language)
  return (
    <Panel title={`${before} and ${after}`} focusKey={`${before} ${after}`} back={linkTo('requests', after)}>
      <LanguageSwitch />
      <Problem failure={first.failure ?? second.failure} />
      {first.text !== '' && first.text === second.text && <p class="nothing">The two requests are the same.</p>}
      <Section title={before}>
        <Command label={`Request ${before}`} text={first.text} other={second.text} />
      </Section>
      <Section title={after}>
        <Command label={`Request ${after}`} text={second.text} other={first.text} />
      </Section>
    </Panel>
  )
}

export function Corrected({ id }: { readonly id: string }) {
  const language = useLanguage()
  const { text: corrected, failure } = useText(id, language === 'curl' ? 'corrected' : 'corrected-fetch')
  const { text: sent } = useText(id, language)
  return (
    <Section title="Corrected request">
      <p class="row">
        <LanguageSwitch />
        <CopyButton name={`Copy corrected as ${language}`} text={corrected} />
      </p>
      <Problem failure={failure} />
      <Command label={`Corrected as ${language}`} text={corrected} other={sent} />
      <details>
        <summary>As it was sent</summary>
        <Command label="As it was sent" text={sent} other={corrected} as="del" />
      </details>
    </Section>
  )
}

const SEPARATORS = /([\s?&\\'"`,(){}]+)/

type CommandProps = { label: string; text: string; other: string; as?: 'mark' | 'del' }

/** Marks words that `other` lacks. */
function Command({ label, text, other, as: Mark = 'mark' }: CommandProps) {
  // Letter case does not matter in the names of headers.
  const keyOf = (word: string) => (word.endsWith(':') ? word.toLowerCase() : word)
  const known = new Set(other.split(SEPARATORS).map(keyOf))
  return (
    <Code title={label}>
      {text.split(SEPARATORS).map((word, at) => {
        const isKnown = at % 2 === 1 || known.has(keyOf(word))
        return isKnown ? reveal(word) : <Mark key={at}>{reveal(word)}</Mark>
      })}
    </Code>
  )
}

function useText(id: string, format: string) {
  const { latest = '', failure } = useAdminQuery<string>(`requests/${encodeURIComponent(id)}?format=${format}`, [])
  return { text: latest, failure }
}
