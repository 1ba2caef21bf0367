import { useState } from 'preact/hooks'
import { REDACTED } from '../../../text/redacted.js'
import type { ExchangeEntry, FileEntry } from '../../../world/journal/entry.js'
import { type Body, isForm, isTyped } from '../../../world/journal/typed.js'
import { linkTo } from '../../address.js'
import { Failure } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { Status } from '../../parts/marks.js'
import { Problem } from '../../parts/problem.js'
import { firstToken, sandboxHere, urlOfWorld } from '../../world.js'

/** Sends the same request to the same world, with the token of the first user. */
export function SendAgain({ exchange }: { readonly exchange: ExchangeEntry }) {
  const { run, busy, failure } = useAct()
  const [answer, setAnswer] = useState<{ readonly status: number; readonly id: string | null }>()
  const { body } = exchange.request
  if (hasFile(body)) {
    return <p class="quiet">A file was sent, which the journal does not keep: send this one again from your app.</p>
  }
  const send = () => {
    setAnswer(undefined)
    return run(async () => {
      const { status, headers } = await sendRequest(exchange, body, await firstToken(sandboxHere))
      setAnswer({ status, id: headers.get('x-mock-exchange') })
    })
  }
  return (
    <>
      <button type="button" class="small" aria-busy={busy} onClick={send}>
        Send again
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

function hasFile(body: Body): boolean {
  return (
    isForm(body) &&
    Object.values(body)
      .flat()
      .some((value) => typeof value !== 'string')
  )
}

async function sendRequest({ method, url, request }: ExchangeEntry, body: Body, token: string): Promise<Response> {
  const filled = (text: string) => text.replaceAll(REDACTED, token)
  const headers = Object.entries(request.headers).filter(([name]) => isTyped(name, body) && name !== 'authorization')
  try {
    return await fetch(`${urlOfWorld(sandboxHere)}${filled(url.replace(/^\/~[^/?]*/, ''))}`, {
      method,
      headers: [
        ...headers.map(([name, value]) => [name, filled(value)] as [string, string]),
        ['authorization', `Bearer ${token}`],
      ],
      ...(body !== null && method !== 'GET' && { body: isForm(body) ? formOf(body, filled) : filled(body) }),
      cache: 'no-store',
    })
  } catch {
    throw new Failure('No answer came: the connection was broken, or the browser does not send such a request.')
  }
}

function formOf(
  fields: Readonly<Record<string, string | FileEntry | readonly (string | FileEntry)[]>>,
  filled: (text: string) => string,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat() as string[]) form.append(name, filled(one))
  }
  return form
}
