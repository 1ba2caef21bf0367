import { useAdminQuery } from '../../admin.js'
import { CopyButton, LanguageSwitch, useLanguage } from '../../parts/call-buttons.js'
import { Problem } from '../../parts/controls.js'
import { Code, reveal, Section } from '../../parts/texts.js'

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
