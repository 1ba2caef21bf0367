import { useRef, useState } from 'preact/hooks'
import { Problem, useAct } from './controls.js'

const SAID = 2_000

export function CopyButton({ name, text }: { name: string; text: string | (() => Promise<string>) }) {
  const { run, busy, failure } = useAct()
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const copy = async () => {
    if (!(await run(() => copyText(typeof text === 'string' ? Promise.resolve(text) : text())))) return
    clearTimeout(timer.current)
    setCopied(true)
    timer.current = setTimeout(() => setCopied(false), SAID)
  }
  return (
    <span class="row">
      <button type="button" class="small" aria-busy={busy} onClick={copy}>
        {name}
      </button>
      <span class="copied" role="status">
        {copied && 'Copied'}
      </span>
      <Problem failure={failure} />
    </span>
  )
}

async function copyText(text: Promise<string>): Promise<void> {
  try {
    // Safari needs a promise: a page may write only while it handles the click.
    const blob = text.then((one) => new Blob([one], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  } catch {
    // Insecure origins have no clipboard. A text that could not be fetched fails again.
    copySelected(await text)
  }
}

function copySelected(text: string): void {
  const area = document.createElement('textarea')
  const focused = document.activeElement as HTMLElement | null
  area.value = text
  area.className = 'off-screen'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  focused?.focus()
  if (!isCopied) throw new Error('The browser does not let this page copy. Select the text and copy it yourself.')
}
