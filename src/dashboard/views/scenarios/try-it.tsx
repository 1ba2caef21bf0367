import { useState } from 'preact/hooks'
import { call } from '../../api.js'
import { type ApiCall, SendButton } from '../../parts/send-button.js'

/** A request that the sandbox answers with success. */
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

/** Calls an operation with the scenario on for this one call. */
export function TryIt({ name, operations }: { readonly name: string; readonly operations: readonly string[] }) {
  const [chosen, choose] = useState('')
  const operation = operations.includes(chosen) ? chosen : operations[0]
  if (operation === undefined) return null
  return (
    <section aria-labelledby="try-title">
      <h3 id="try-title">Try it</h3>
      <div class="buttons">
        <select aria-label="Operation to call" value={operation} onChange={(e) => choose(e.currentTarget.value)}>
          {operations.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <SendButton key={operation} call={async () => exampleCall(await call(`examples/${operation}`), name)}>
          Try it
        </SendButton>
      </div>
    </section>
  )
}

function exampleCall({ method, path, token, form }: Example, scenario: string): ApiCall {
  const body = new FormData()
  for (const { name, value = '', file } of form) {
    if (file === undefined) body.append(name, value)
    else {
      const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0))
      body.append(name, new File([bytes], file.filename, { type: file.type }))
    }
  }
  return {
    method,
    path,
    headers: [
      ['authorization', `Bearer ${token}`],
      ['prefer', `scenario="${scenario}"`],
    ],
    body: form.length === 0 ? undefined : body,
  }
}
