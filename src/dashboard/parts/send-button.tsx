import { useState } from 'preact/hooks'
import { linkTo } from '../address.js'
import { Failure } from '../api.js'
import { sandboxHere, urlOfWorld } from '../world.js'
import { useAct } from './act.js'
import { Status } from './marks.js'
import { Problem } from './problem.js'

/** A call of the API. */
export interface ApiCall {
  readonly method: string
  /** Below the sandbox's base URL. */
  readonly path: string
  readonly headers: [name: string, value: string][]
  readonly body?: FormData | string | undefined
}

interface Props {
  readonly children: string
  readonly call: () => ApiCall | Promise<ApiCall>
}

/** Calls the API of this sandbox, and leads to the exchange. */
export function SendButton({ children, call }: Props) {
  const { run, busy, failure } = useAct()
  const [answer, setAnswer] = useState<{ readonly status: number; readonly id: string | null }>()
  const send = () => {
    setAnswer(undefined)
    return run(async () => setAnswer(await sendCall(await call())))
  }
  return (
    <>
      <button type="button" class="small" aria-busy={busy} onClick={send}>
        {children}
      </button>
      <span role="status">
        {answer && (
          <>
            answered <Status status={answer.status} />{' '}
            {answer.id !== null && <a href={linkTo('requests', answer.id)}>{answer.id}</a>}
          </>
        )}
      </span>
      <Problem failure={failure} />
    </>
  )
}

async function sendCall({ path, body, ...init }: ApiCall) {
  try {
    const sent = { ...init, cache: 'no-store', ...(body !== undefined && { body }) } as const
    const { status, headers } = await fetch(`${urlOfWorld(sandboxHere)}${path}`, sent)
    return { status, id: headers.get('x-mock-exchange') }
  } catch {
    throw new Failure('No answer came: the connection was broken, or the browser does not send such a request.')
  }
}
