import { linkTo } from '../address.js'
import { CallError } from '../admin.js'
import { sandboxHere, urlOfSandbox } from '../sandbox.js'
import { Action } from './controls.js'
import { Status } from './texts.js'

/** Files are base64. */
export interface ApiCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly form: readonly {
    readonly name: string
    readonly value?: string
    readonly file?: { readonly filename: string; readonly type: string; readonly content: string }
  }[]
  readonly text?: string | null
}

export function SendButton({ label, call }: { label: string; call: () => Promise<ApiCall> }) {
  const send = async () => {
    const { method, path, headers, form, text = null } = await call()
    const body = form.length > 0 ? formData(form) : method === 'GET' ? null : text
    const url = `${urlOfSandbox(sandboxHere)}${path}`
    const answer = await fetch(url, { method, headers, body, cache: 'no-store' }).catch(() => {
      // With a status, it survives a reconnect.
      throw Object.assign(new CallError(NO_ANSWER), { status: 0 })
    })
    const id = answer.headers.get('x-mock-exchange')
    return (
      <>
        answered <Status of={answer.status} /> {id && <a href={linkTo('requests', id)}>{id}</a>}
      </>
    )
  }
  return <Action label={label} call={send} />
}

const NO_ANSWER = 'No answer came: the connection was broken, or the browser blocked the request.'

function formData(form: ApiCall['form']): FormData {
  const body = new FormData()
  for (const { name, value = '', file } of form) {
    if (file === undefined) body.append(name, value)
    else {
      const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0))
      body.append(name, new File([bytes], file.filename, { type: file.type }))
    }
  }
  return body
}
