import 'rapidoc'
import { fetchAdmin } from './admin.js'
import { apiFacts, currentSandbox, urlOfSandbox } from './page.js'
import { commandFor, type ExampleCall, LANGUAGE_KEY } from './parts/call-buttons.js'

/** https://rapidocweb.com/api.html */
interface RapiDoc extends HTMLElement {
  loadSpec(openapi: object): Promise<void>
  setApiKey(scheme: string, value: string): void
}

interface Spec {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly info: { readonly description: string }
  readonly components: { readonly parameters: { readonly Prefer: { readonly description: string } } }
}

interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  'x-codeSamples'?: readonly { lang: string; label: string; source: string }[]
}

const COLOURS = {
  'bg-color': '--paper',
  'text-color': '--ink',
  'primary-color': '--accent',
  'nav-bg-color': '--sheet',
  'nav-text-color': '--ink',
} as const

/** Statements and interpretations behind a sentence. */
const CITES_IN_PARENTHESES = /\(((?:[IS][\w.-]+(?:, )?)+)\)/g

const observed = new WeakSet<Node>()

const FIELD_LABELS: Readonly<Record<string, string>> = { textarea: 'Body', select: 'Choice' }

const STYLE = new CSSStyleSheet()
STYLE.replaceSync(`
  :host { --blue: var(--accent); --green: var(--ok); --orange: var(--client); --red: var(--server); }
  :is(.m-markdown, .m-markdown-small) a { color: var(--accent); }
  .nav-bar { border-right: 1px solid var(--line); }
  .nav-bar-section { justify-content: flex-start; padding-left: 14px; }
  .nav-bar-section-title { font-size: 0.82rem; letter-spacing: 0.06em; color: var(--quiet); }
  :is(.m-markdown, .m-markdown-small) code { color: inherit; background: var(--code); border-radius: 4px; }
  .m-markdown small { color: var(--quiet); font-size: 0.8em; }
  /** The dashboard has its own title, and shows curl as a sample. */
  #api-title, #api-info, .tab-btn[data-tab="curl"] { display: none; }
`)

const viewer = document.querySelector('rapi-doc') as RapiDoc
const dark = matchMedia('(prefers-color-scheme: dark)')

setColours()
dark.addEventListener('change', setColours)
await load()

async function load(): Promise<void> {
  const openapi = await fetchAdmin<Spec>('openapi.json')
  const operations = Object.values(openapi.paths).flatMap((item) => Object.values(item))
  const ids = rapidocIds(openapi.paths)
  const openOperation = () => {
    const id = ids.get(location.hash.slice(1))
    if (id !== undefined) location.replace(`#${id}`)
  }
  openOperation()
  addEventListener('hashchange', openOperation)
  await Promise.all(operations.map(addSamples))
  const links = operations.map(({ operationId, summary }) => `- [${summary}](#${ids.get(operationId)})`)
  await viewer.loadSpec({ ...readableSpec(openapi, links), servers: [{ url: urlOfSandbox(currentSandbox) }] })
  viewer.setApiKey(apiFacts.tokenHeaders[0]?.security ?? '', viewer.dataset.token ?? '')
  labelFields(document)
}

/** A successful request in this sandbox, in the chosen language. */
async function addSamples(operation: DocumentedOperation): Promise<void> {
  const example = await fetchAdmin<ExampleCall>(`examples/${operation.operationId}`)
  const samples = [
    { lang: 'shell', label: 'curl', source: commandFor(example, 'curl') },
    { lang: 'javascript', label: 'fetch', source: commandFor(example, 'fetch') },
  ]
  operation['x-codeSamples'] = localStorage.getItem(LANGUAGE_KEY) === 'fetch' ? samples.reverse() : samples
}

/** Puts operations and their common header first, and drops patterns. */
function readableSpec(openapi: Spec, links: readonly string[]): Spec {
  const read: Spec = JSON.parse(JSON.stringify(openapi), (key, value) => {
    if (key === 'pattern' && typeof value === 'string') return undefined
    if (key === 'Prefer') return { ...value, description: 'Requests a specific answer: see [Prefer](#prefer).' }
    return key === 'description' && typeof value === 'string'
      ? value.replaceAll(CITES_IN_PARENTHESES, '<small>$1</small>')
      : value
  })
  const [, decided = ''] = read.info.description.split(/^(?=## Assumptions)/m)
  const { description } = openapi.components.parameters.Prefer
  const interpretations = decided.replaceAll(/^- \*\*(I-\d+)/gm, '- <b id="$1"></b>**$1')
  const introduction = ['## Operations', links.join('\n'), '## Prefer', description, interpretations].join('\n\n')
  return { ...read, info: { ...read.info, description: introduction } }
}

/** RapiDoc's fields have no labels, and its long samples do not scroll. */
function labelFields(within: ParentNode & Node): void {
  for (const field of within.querySelectorAll<HTMLInputElement>('input, textarea, select')) {
    field.ariaLabel ??= field.dataset.pname ?? FIELD_LABELS[field.localName] ?? (field.placeholder || 'Value')
  }
  for (const sample of within.querySelectorAll('pre')) sample.tabIndex = 0
  for (const element of within.querySelectorAll('*')) if (element.shadowRoot !== null) labelFields(element.shadowRoot)
  if (observed.has(within)) return
  if (within instanceof ShadowRoot) within.adoptedStyleSheets = [...within.adoptedStyleSheets, STYLE]
  observed.add(within)
  new MutationObserver(() => labelFields(within)).observe(within, { childList: true, subtree: true })
}

/** RapiDoc's ids of operations; statements lead to the first operation that cites them. */
function rapidocIds(paths: Spec['paths']): Map<string, string> {
  const ids = new Map<string, string>()
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const id = `${method}-${path.replaceAll(/[\s#:?&={}]/g, '-')}`
      ids.set(operation.operationId, id)
      for (const [cite] of JSON.stringify(operation).matchAll(/\bS[\dA-Z]+\.\d+/g))
        if (!ids.has(cite)) ids.set(cite, id)
    }
  }
  return ids
}

function setColours(): void {
  const style = getComputedStyle(document.documentElement)
  viewer.setAttribute('theme', dark.matches ? 'dark' : 'light')
  for (const [name, variable] of Object.entries(COLOURS))
    viewer.setAttribute(name, style.getPropertyValue(variable).trim())
}
