import { type ComponentChildren, render } from 'preact'
import { useState } from 'preact/hooks'
import { CallError } from '../api.js'
import { tell } from '../live.js'

export function useAct() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CallError>()
  /** Runs one call at a time, then reloads all data; resolves with true if it succeeded. */
  const run = async (call: () => Promise<unknown>) => {
    if (busy) return false
    setBusy(true)
    setFailure(undefined)
    try {
      await call()
      return true
    } catch (error) {
      setFailure(error instanceof CallError ? error : new CallError(String(error)))
      return false
    } finally {
      setBusy(false)
      tell('all')
    }
  }
  return { run, busy, failure }
}

/** An error or all complaints about a file; `select` goes to a line of it. */
export function Problem({ failure, select }: { failure?: CallError; select?: (line: number) => void }) {
  if (failure === undefined) return null
  const { message, complaints } = failure
  if (complaints.length === 0) {
    return (
      <p class="problem" role="alert">
        <bdi>{message}</bdi>
      </p>
    )
  }
  return (
    <div class="problem" role="alert">
      <ul>
        {complaints.map(({ path, line, column, message }, at) => {
          const place = line === undefined ? path : `Line ${line}, column ${column}:`
          return (
            <li key={at}>
              {line === undefined || select === undefined ? (
                place
              ) : (
                <button type="button" class="link" onClick={() => select(line)}>
                  {place}
                </button>
              )}{' '}
              <bdi>{message}</bdi>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

interface ActionProps {
  readonly call: () => Promise<unknown>
  readonly children: string
  readonly ask?: string
  readonly class?: 'go' | 'danger' | 'small'
}

export function Action({ call, ask, children, class: kind }: ActionProps) {
  const { run, busy, failure } = useAct()
  const act = async () => {
    if (ask === undefined || (await confirm(ask, children))) await run(call)
  }
  return (
    <>
      <button type="button" class={kind} aria-busy={busy} onClick={act}>
        {children}
      </button>
      <Problem failure={failure} />
    </>
  )
}

export function Switch({ name, on, toggle }: { name: string; on: boolean; toggle: (on: boolean) => Promise<unknown> }) {
  const { run, busy, failure } = useAct()
  return (
    <>
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={on}
        aria-label={name}
        aria-busy={busy}
        onClick={() => run(() => toggle(!on))}
      >
        <span class="thumb" />
      </button>
      <Problem failure={failure} />
    </>
  )
}

interface FormProps {
  readonly class: string
  readonly submit: (fields: Readonly<Record<string, string>>) => unknown
  readonly children: ComponentChildren
}

export function Form({ submit, ...props }: FormProps) {
  return (
    <form
      autocomplete="off"
      {...props}
      onSubmit={(event) => {
        event.preventDefault()
        void submit(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>)
      }}
    />
  )
}

export function Options({ of, selected }: { readonly of: readonly string[]; readonly selected?: string }) {
  return (
    <>
      {of.map((one) => (
        <option key={one} selected={one === selected}>
          {one}
        </option>
      ))}
    </>
  )
}

/** Asks before an action that cannot be undone. */
export function confirm(question: string, verb: string): Promise<boolean> {
  const dialog = document.createElement('dialog')
  dialog.ariaLabel = question
  render(
    <form method="dialog">
      <p>
        <bdi>{question}</bdi>
      </p>
      <p class="row">
        <button type="button" onClick={() => dialog.close()}>
          Cancel
        </button>
        <button type="submit" value={verb}>
          {verb}
        </button>
      </p>
    </form>,
    dialog,
  )
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.onclose = () => {
      dialog.remove()
      resolve(dialog.returnValue === verb)
    }
  })
}
