import { useEffect, useState } from 'preact/hooks'
import { useAct } from './act.js'
import { copyText } from './clipboard.js'
import { Problem } from './problem.js'

/** Milliseconds that it says `Copied`. */
const SAID = 2_000

interface Props {
  /** Its accessible name, which it keeps. */
  readonly name: string
  readonly text: () => Promise<string>
}

/** Copies a text, and says so beside it. */
export function CopyButton({ name, text }: Props) {
  const { run, busy, failure } = useAct()
  const [copied, setCopied] = useState(0)
  useEffect(() => {
    if (copied === 0) return
    const timer = setTimeout(() => setCopied(0), SAID)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    if (await run(() => copyText(text()))) setCopied((before) => before + 1)
  }
  return (
    <span class="copy">
      <button type="button" class="small" aria-busy={busy} onClick={copy}>
        {name}
      </button>
      <span class="copied" role="status">
        {copied > 0 && 'Copied'}
      </span>
      <Problem failure={failure} />
    </span>
  )
}
