import { useState } from 'preact/hooks'
import { linkTo } from '../../address.js'
import { call, Failure } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { Code, textOf } from '../../parts/code.js'
import { Status } from '../../parts/marks.js'
import { Problem } from '../../parts/problem.js'
import { sandboxHere, urlOfWorld } from '../../world.js'

/** A request that the world answers with success. */
interface Example {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly form: readonly {
    readonly name: string
    readonly value?: string
    readonly file?: { readonly filename: string; readonly type: string; readonly content: string }
  }[]
}

interface Answer {
  readonly status: number
  readonly exchange: string | null
  readonly body: string
}

/** Calls an operation with the scenario on for this one call, and shows what it answers. */
export function TryIt({ name, operations }: { readonly name: string; readonly operations: readonly string[] }) {
  const [chosen, choose] = useState('')
  const [answer, setAnswer] = useState<Answer>()
  const { run, busy, failure } = useAct()
  const operation = operations.includes(chosen) ? chosen : operations[0]
  if (operation === undefined) return null
  const send = () => {
    setAnswer(undefined)
    return run(async () => setAnswer(await tried(await call<Example>(`examples/${operation}`), name)))
  }
  return (
    <section class="try-it" aria-labelledby="try-title">
      <h3 id="try-title">Try it</h3>
      <p class="buttons">
        <select aria-label="Operation to call" value={operation} onChange={(e) => choose(e.currentTarget.value)}>
          {operations.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <button type="button" aria-busy={busy} onClick={send}>
          Try it
        </button>
      </p>
      <Problem failure={failure} />
      <div role="status">
        {answer && (
          <>
            <p>
              <Status status={answer.status} />{' '}
              {answer.exchange !== null && <a href={linkTo('requests', answer.exchange)}>{answer.exchange}</a>}
            </p>
            <Code text={pretty(answer.body)} label="Answer" />
          </>
        )}
      </div>
    </section>
  )
}

async function tried({ method, path, token, form }: Example, scenario: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, prefer: `scenario="${scenario}"` }
  const init = { headers, ...(form.length > 0 && { body: await formOf(form) }) }
  try {
    const response = await fetch(`${urlOfWorld(sandboxHere)}${path}`, { method, cache: 'no-store', ...init })
    const exchange = response.headers.get('x-mock-exchange')
    return { status: response.status, exchange, body: await response.text() }
  } catch {
    throw new Failure('The connection was broken, as a fault does.')
  }
}

async function formOf(fields: Example['form']): Promise<FormData> {
  const form = new FormData()
  for (const { name, value, file } of fields) {
    if (file === undefined) form.append(name, value ?? '')
    else {
      const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0))
      form.append(name, new File([bytes], file.filename, { type: file.type }))
    }
  }
  return form
}

function pretty(body: string): string {
  try {
    return textOf(JSON.parse(body))
  } catch {
    return body
  }
}
