import { useRef, useState } from 'preact/hooks'
import { curl, shellQuote } from '../../../../engine/judge/curl.js'
import { quoteText, tokenLine, tokenProperty } from '../api-facts.js'
import { Button, Problem, useAct } from './controls.js'
import { useStored } from './stored.js'

/** A call that the sandbox answers with success, as `GET examples/:operation` gives it; files in base64. */
export interface ExampleCall {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly form: readonly {
    readonly name: string
    readonly value?: string
    readonly file?: { readonly filename: string; readonly type: string; readonly content: string }
  }[]
}

const LANGUAGES = ['curl', 'fetch'] as const
type CommandLanguage = (typeof LANGUAGES)[number]

export const LANGUAGE_KEY = 'countersign:language'

/** How commands are written, in every view and window. */
export function useLanguage(): CommandLanguage {
  const [stored] = useStored(LANGUAGE_KEY)
  return stored === 'fetch' ? 'fetch' : 'curl'
}

export function LanguageSwitch() {
  const [, store] = useStored(LANGUAGE_KEY)
  const language = useLanguage()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no row
    <span class="choices" role="group" aria-label="Commands as">
      {LANGUAGES.map((one) => (
        <Button key={one} class="small" label={`as ${one}`} pressed={one === language} act={() => store(one)} />
      ))}
    </span>
  )
}

/** A call as a command in each language. */
export function commandsFor(base: string, { method, path, token, form }: ExampleCall): Record<CommandLanguage, string> {
  const url = base + path
  const fields = form.map(({ name, value = '', file }) => {
    if (file === undefined) return `form.append(${quoteText(name)}, ${quoteText(value)})`
    const read = `new Blob([await readFile(${quoteText(file.filename)})], { type: ${quoteText(file.type)} })`
    return `form.append(${quoteText(name)}, ${read}, ${quoteText(file.filename)})   // in a page: input.files[0]`
  })
  const hasFile = form.some(({ file }) => file !== undefined)
  const code = [
    ...(hasFile ? ["import { readFile } from 'node:fs/promises'", ''] : []),
    ...(form.length === 0 ? [] : ['const form = new FormData()', ...fields]),
    `await fetch(${quoteText(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    `  headers: { ${tokenProperty(token)} },`,
    ...(form.length === 0 ? [] : ['  body: form,']),
    '})',
  ]
  const values = form.map(({ name, value = '', file }) => {
    return [name, file === undefined ? value : { path: file.filename, type: file.type }] as const
  })
  return { curl: curl({ method, url, token: shellQuote(tokenLine(token)), form: values }), fetch: code.join('\n') }
}

/** A fix, which comes as options of curl, in the words of `fetch`. */
export function fixIn(language: CommandLanguage, fix: string): string {
  if (language === 'curl') return fix
  return fix
    .replace(/-F '([^'=]+)=@([^';]*)[^']*'/g, (_, name, file) => `form.append('${name}', file)   // ${file}`)
    .replace(/-F '([^'=]+)=([^']*)'/g, "form.append('$1', '$2')")
    .replace(/-H '([^':]+): ([^']*)'/g, "headers: { '$1': '$2' }")
}

/** Milliseconds. */
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
    <span>
      <Button class="small" label={name} busy={busy} act={copy} />
      <span class="done" role="status">
        {copied && ' Copied'}
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
