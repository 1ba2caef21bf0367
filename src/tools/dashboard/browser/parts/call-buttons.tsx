import { useEffect, useState } from 'preact/hooks'
import { CallError } from '../admin.js'
import { currentSandbox, linkTo, urlOfSandbox } from '../page.js'
import { Action, Button } from './controls.js'
import { Status } from './texts.js'

/** Files are base64. */
export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly form: readonly {
    readonly name: string
    readonly value?: string
    readonly file?: { readonly filename: string; readonly type: string; readonly content: string }
  }[]
  readonly text?: string | null
}

/** A successful call, from `GET examples/:operation`. */
export interface ExampleCall extends ApiCall {
  readonly token: string
  /** The commands' base URL, which may lack a proxy's prefix. */
  readonly base: string
  readonly commands: Readonly<Record<CommandLanguage, string>>
}

export function commandFor({ base, commands }: ExampleCall, language: CommandLanguage): string {
  return commands[language].replaceAll(base, urlOfSandbox(currentSandbox))
}

/** Shared by all windows; empty at first. */
export function useStored(key: string) {
  const read = () => localStorage.getItem(key) ?? ''
  const [value, setValue] = useState(read)
  useEffect(() => {
    const changed = () => setValue(read())
    addEventListener('storage', changed)
    return () => removeEventListener('storage', changed)
  }, [])
  const store = (text: string) => {
    localStorage.setItem(key, text)
    // Browsers notify only other windows.
    dispatchEvent(new Event('storage'))
  }
  return [value, store] as const
}

const LANGUAGES = ['curl', 'fetch'] as const
type CommandLanguage = (typeof LANGUAGES)[number]

export const LANGUAGE_KEY = 'countersign:language'

export function useLanguage(): CommandLanguage {
  const [stored] = useStored(LANGUAGE_KEY)
  return stored === 'fetch' ? 'fetch' : 'curl'
}

export function LanguageSwitch() {
  const [, store] = useStored(LANGUAGE_KEY)
  const language = useLanguage()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset adds a box
    <span class="choices" role="group" aria-label="Commands as">
      {LANGUAGES.map((one) => (
        <Button key={one} class="small" label={`as ${one}`} aria-pressed={one === language} act={() => store(one)} />
      ))}
    </span>
  )
}

/** Fixes are options of curl. */
export function fixIn(language: CommandLanguage, fix: string): string {
  if (language === 'curl') return fix
  return fix
    .replace(/-F '([^'=]+)=@([^';]*)[^']*'/g, (_, name, file) => `form.append('${name}', file)   // ${file}`)
    .replace(/-F '([^'=]+)=([^']*)'/g, "form.append('$1', '$2')")
    .replace(/-H '([^':]+): ([^']*)'/g, "headers: { '$1': '$2' }")
}

export function CopyButton({ name, text }: { name: string; text: string | (() => Promise<string>) }) {
  const copy = async () => {
    await copyText(typeof text === 'string' ? Promise.resolve(text) : text())
    return <Copied />
  }
  return (
    <span>
      <Action class="small" label={name} call={copy} />
    </span>
  )
}

const SHOWN_MS = 2_000

function Copied() {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [])
  return isOver ? null : <span class="done"> Copied</span>
}

async function copyText(text: Promise<string>): Promise<void> {
  try {
    // Safari needs a promise: pages may write only during the click.
    const blob = text.then((one) => new Blob([one], { type: 'text/plain' }))
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  } catch {
    // Insecure origins have no clipboard.
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

export function SendButton({ label, call }: { label: string; call: () => Promise<ApiCall> }) {
  const send = async () => {
    const { method, path, headers, form, text = null } = await call()
    const body = form.length > 0 ? formData(form) : method === 'GET' ? null : text
    const url = `${urlOfSandbox(currentSandbox)}${path}`
    const answer = await fetch(url, { method, headers, body, cache: 'no-store' }).catch(() => {
      // A reconnect clears errors without a status.
      throw Object.assign(new CallError(BROKEN), { status: 0 })
    })
    const id = answer.headers.get('x-mock-exchange')
    return (
      <>
        answered <Status of={answer.status} /> {id && <a href={linkTo('requests', id)}>{id}</a>}
      </>
    )
  }
  return <Action label={label} call={send} />
}

const BROKEN = 'No answer came: the connection was broken, or the browser blocked the request.'

function formData(form: ApiCall['form']): FormData {
  const body = new FormData()
  for (const { name, value = '', file } of form) {
    if (file === undefined) body.append(name, value)
    else {
      const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0))
      body.append(name, new File([bytes], file.filename, { type: file.type }))
    }
  }
  return body
}
