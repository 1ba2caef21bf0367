import 'rapidoc'

/** https://rapidocweb.com/api.html */
interface RapiDoc extends HTMLElement {
  loadSpec(openapi: object): Promise<void>
  setApiKey(scheme: string, value: string): void
}

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
  const ids = rapidocIds(openapi.paths)
  const openOperation = () => {
    const id = ids.get(location.hash.slice(1))
    if (id !== undefined) location.replace(`#${id}`)
  }
  openOperation()
  addEventListener('hashchange', openOperation)
  await viewer.loadSpec({ ...openapi, servers: [{ url }] })
  viewer.setApiKey('bearer', viewer.dataset.token ?? '')
}

function rapidocIds(paths: Record<string, Record<string, { operationId: string }>>): Map<string, string> {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]): [string, string] => [
        operationId,
        `${method}-${path.replaceAll(/[\s#:?&={}]/g, '-')}`,
      ]),
    ),
  )
}

function setColours(): void {
  const style = getComputedStyle(document.documentElement)
  viewer.setAttribute('theme', dark.matches ? 'dark' : 'light')
  for (const [name, variable] of Object.entries(COLOURS))
    viewer.setAttribute(name, style.getPropertyValue(variable).trim())
}
