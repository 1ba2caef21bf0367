/** Characters of a value that are shown; a page with more is no longer usable. */
const MOST = 100_000

interface Props {
  readonly text: string
  /** Its accessible name. */
  readonly label: string
  /** Whether a few lines of it are enough until somebody scrolls. */
  readonly low?: boolean
}

/** A text set as code; long lines wrap. */
export function Code({ text, label, low = false }: Props) {
  const shown = visible(text.slice(0, MOST))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section class={low ? 'code low' : 'code'} tabIndex={0} aria-label={label}>
      <pre>
        <code>{shown}</code>
        {text.length > MOST && <span class="quiet">{`\n… and ${text.length - MOST} more characters`}</span>}
      </pre>
    </section>
  )
}

/** A value as its JSON, a text as it is. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}

/** What cannot be seen, or turns the order of what can, is written as an escape. */
export function visible(text: string): string {
  return text.replace(
    /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
