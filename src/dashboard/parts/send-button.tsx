import { useState } from 'preact/hooks'
import { linkTo } from '../address.js'
import { Failure } from '../api.js'
import { sandboxHere, urlOfWorld } from '../world.js'
import { Action } from './controls.js'
import { Status } from './texts.js'

export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly headers: [name: string, value: string][]
  readonly body?: FormData | string | undefined
}

export function SendButton({ children, call }: { children: string; call: () => Promise<ApiCall> }) {
  const [answer, setAnswer] = useState<{ readonly status: number; readonly id: string | null }>()
  const send = async () => {
    setAnswer(undefined)
    const { path, body, ...init } = await call()
    try {
      const sent = { ...init, cache: 'no-store', ...(body !== undefined && { body }) } as const
      const { status, headers } = await fetch(`${urlOfWorld(sandboxHere)}${path}`, sent)
      setAnswer({ status, id: headers.get('x-mock-exchange') })
    } catch {
      throw new Failure('No answer came: the connection was broken, or the browser blocked the request.')
    }
  }
  return (
    <>
      <Action class="small" call={send}>
        {children}
      </Action>
      <span role="status">
        {answer && (
          <>
            answered <Status status={answer.status} />{' '}
            {answer.id !== null && <a href={linkTo('requests', answer.id)}>{answer.id}</a>}
          </>
        )}
      </span>
    </>
  )
}
