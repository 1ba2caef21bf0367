import 'rapidoc'

/** RapiDoc's element: https://rapidocweb.com/api.html */
interface RapiDoc extends HTMLElement {
  loadSpec(openapi: object): Promise<void>
  setApiKey(scheme: string, value: string): void
}

/** RapiDoc's colours, by the dashboard's. */
const COLOURS = {
  'bg-color': '--paper',
  'text-color': '--ink',
  'primary-color': '--accent',
  'nav-bg-color': '--sheet',
  'nav-text-color': '--ink',
} as const

const viewer = document.querySelector('rapi-doc') as RapiDoc
const dark = matchMedia('(prefers-color-scheme: dark)')

setColours()
dark.addEventListener('change', setColours)
await load()

async function load(): Promise<void> {
  const openapi = await (await fetch('openapi.json')).json()
  // The server may not know the prefix of a proxy; the browser does.
  const url = location.origin + location.pathname.replace(/\/__admin\/docs$/, '')
  await viewer.loadSpec({ ...openapi, servers: [{ url }] })
  viewer.setApiKey('bearer', viewer.dataset.token ?? '')
}

function setColours(): void {
  const style = getComputedStyle(document.documentElement)
  viewer.setAttribute('theme', dark.matches ? 'dark' : 'light')
  for (const [name, variable] of Object.entries(COLOURS))
    viewer.setAttribute(name, style.getPropertyValue(variable).trim())
}
