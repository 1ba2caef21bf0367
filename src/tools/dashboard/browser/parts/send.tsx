import { useState } from 'preact/hooks'
import { linkTo } from '../address.js'
import { CallError } from '../admin.js'
import { sandboxHere, urlOfSandbox } from '../sandbox.js'
import { Action } from './controls.js'
import { Status } from './texts.js'

export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly headers: [name: string, value: string][]
  readonly body?: FormData | string | undefined
}

export function SendButton({ label, call }: { label: string; call: () => Promise<ApiCall> }) {
  const [answer, setAnswer] = useState<{ readonly status: number; readonly id: string }>()
  const send = async () => {
    setAnswer(undefined)
    const { path, body, ...init } = await call()
    try {
      const url = `${urlOfSandbox(sandboxHere)}${path}`
      const { status, headers } = await fetch(url, { ...init, body: body ?? null, cache: 'no-store' })
      setAnswer({ status, id: headers.get('x-mock-exchange') ?? '' })
    } catch {
      // It has a status, since no connection that comes back takes it away.
      throw Object.assign(new CallError(NO_ANSWER), { status: 0 })
    }
  }
  return (
    <>
      <Action label={label} call={send} />
      <span role="status">
        {answer && (
          <>
            answered <Status of={answer.status} />{' '}
            {answer.id && <a href={linkTo('requests', answer.id)}>{answer.id}</a>}
          </>
        )}
      </span>
    </>
  )
}

const NO_ANSWER = 'No answer came: the connection was broken, or the browser blocked the request.'
