import { type ComponentChildren, type JSX, render, type TargetedEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { CallError } from '../admin.js'
import { useConnection } from '../live.js'

/** Resolves with what to show. */
// biome-ignore lint/suspicious/noConfusingVoidType: most calls have no result
type Act = () => Promise<ComponentChildren | void>

export function useAct() {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CallError>()
  const [result, setResult] = useState<ComponentChildren>()
  const connection = useConnection()
  useEffect(() => {
    if (connection === 'live' && failure?.status === undefined) setFailure(undefined)
  }, [connection])
  const run = async (call: Act) => {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    setResult(undefined)
    try {
      setResult((await call()) ?? null)
    } catch (error) {
      setFailure(error instanceof CallError ? error : new CallError(String(error)))
    } finally {
      setBusy(false)
    }
  }
  return { run, busy, failure, result }
}

/** `select` goes to a line of the file. */
export function Problem({ failure, select = () => {} }: { failure?: CallError; select?: (line: number) => void }) {
  if (failure === undefined) return null
  const { message, complaints } = failure
  return (
    <div class="problem" role="alert">
      {complaints.length === 0 && <bdi>{message}</bdi>}
      {complaints.map(({ path, line, column, message }, at) => (
        <p key={at}>
          {line === undefined ? (
            path
          ) : (
            <Button class="link" label={`Line ${line}, column ${column}:`} act={() => select(line)} />
          )}{' '}
          <bdi>{message}</bdi>
        </p>
      ))}
    </div>
  )
}

type ButtonProps = JSX.IntrinsicElements['button'] & { readonly label: string; readonly act: () => unknown }

export function Button({ label, act, ...attributes }: ButtonProps) {
  return (
    <button type="button" onClick={() => act()} {...attributes}>
      {label}
    </button>
  )
}

export function Action({ call, ask, ...button }: Omit<ButtonProps, 'act'> & { call: Act; ask?: string }) {
  const { run, busy, failure, result } = useAct()
  const act = async () => {
    if (ask === undefined || (await confirm(ask, button.label))) await run(call)
  }
  return (
    <>
      <Button {...button} aria-busy={busy} act={act} />
      <span role="status">{result}</span>
      <Problem failure={failure} />
    </>
  )
}

export function Switch({ name, on, toggle }: { name: string; on: boolean; toggle: (on: boolean) => Promise<void> }) {
  return <Action label="" role="switch" aria-checked={on} aria-label={name} call={() => toggle(!on)} />
}

type Submit = (fields: Readonly<Record<string, string>>) => unknown

export function Form({ submit, ...props }: JSX.IntrinsicElements['form'] & { submit: Submit }) {
  const onSubmit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    void submit(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>)
  }
  return <form autocomplete="off" onSubmit={onSubmit} {...props} />
}

export function Options({ of, selected }: { of: readonly string[]; selected?: string }) {
  return of.map((one) => (
    <option key={one} selected={one === selected}>
      {one}
    </option>
  ))
}

interface ChoiceProps {
  readonly label: string
  readonly value?: string
  /** The label of a first option, whose value is empty. */
  readonly none?: string
  readonly of: readonly string[]
  readonly set: (value: string) => void
}

export function Choice({ label, value = '', none, of, set }: ChoiceProps) {
  return (
    <select aria-label={label} value={value} onChange={({ currentTarget }) => set(currentTarget.value)}>
      {none !== undefined && <option value="">{none}</option>}
      <Options of={of} selected={value} />
    </select>
  )
}

export function Head({ of }: { readonly of: readonly ComponentChildren[] }) {
  const cells = of.map((one, at) => (
    <th key={at} scope="col">
      {one}
    </th>
  ))
  return (
    <thead>
      <tr>{cells}</tr>
    </thead>
  )
}

interface MenuProps {
  readonly id: string
  readonly label: string
  readonly title: string
  readonly children: () => ComponentChildren
}

export function Menu({ id, label, title, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="menu" title={title} popovertarget={id}>
        {label}
      </button>
      <div id={id} popover="auto" onToggle={({ newState }) => setOpen(newState === 'open')}>
        {isOpen && children()}
      </div>
    </>
  )
}

/** Leaving the view means no. */
export function confirm(question: string, verb: string): Promise<boolean> {
  const dialog = document.createElement('dialog')
  const close = () => dialog.close()
  dialog.ariaLabel = question
  render(
    <form method="dialog">
      <p>
        <bdi>{question}</bdi>
      </p>
      <Button label="Cancel" act={close} /> <input type="submit" value={verb} onClick={() => dialog.close(verb)} />
    </form>,
    dialog,
  )
  document.body.append(dialog)
  dialog.showModal()
  addEventListener('hashchange', close)
  return new Promise((resolve) => {
    dialog.onclose = () => {
      removeEventListener('hashchange', close)
      dialog.remove()
      resolve(dialog.returnValue === verb)
    }
  })
}
