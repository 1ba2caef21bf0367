declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici'
}

declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici'
}

declare module 'undici/lib/web/fetch/index.js' {
  import type { Agent } from 'undici'

  type FetchInit = Omit<RequestInit, 'dispatcher'> & { duplex: 'half'; dispatcher: Agent }
  const web: { fetch(url: string, init: FetchInit): Promise<Response> }
  export default web
}
