import { linkTo } from '../address.js'
import { CallError } from '../admin.js'
import { sandboxHere, urlOfSandbox } from '../sandbox.js'
import { Action } from './controls.js'
import { Status } from './texts.js'

export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: FormData | string | null
}

export function SendButton({ label, call }: { label: string; call: () => Promise<ApiCall> }) {
  const send = async () => {
    const { path, ...init } = await call()
    const url = `${urlOfSandbox(sandboxHere)}${path}`
    const { status, headers } = await fetch(url, { cache: 'no-store', ...init }).catch(() => {
      // It has a status, since no connection that comes back takes it away.
      throw Object.assign(new CallError(NO_ANSWER), { status: 0 })
    })
    const id = headers.get('x-mock-exchange')
    return (
      <>
        answered <Status of={status} /> {id && <a href={linkTo('requests', id)}>{id}</a>}
      </>
    )
  }
  return <Action label={label} call={send} />
}

const NO_ANSWER = 'No answer came: the connection was broken, or the browser blocked the request.'
