import { useEffect, useState } from 'preact/hooks'
import { linkTo } from '../../address.js'
import { call } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { visible } from '../../parts/code.js'
import { Panel } from '../../parts/panel.js'
import { Problem } from '../../parts/problem.js'
import type { StateRecord } from '../../shapes.js'
import { keyOf } from './key.js'

interface Props {
  readonly collection: string
  /** The key of the record, empty for a new one. */
  readonly of: string
  readonly record: StateRecord | undefined
  /** Another record, which a new one begins as. */
  readonly example: StateRecord | undefined
  readonly refresh: () => void
}

/** One record as JSON, to be edited and put in its place. */
export function RecordPanel({ collection, of, record, example, refresh }: Props) {
  const isNew = of === ''
  const stored = JSON.stringify(isNew ? (example ?? {}) : record, null, 2) ?? ''
  const [text, setText] = useState(stored)
  const [from, setFrom] = useState(stored)
  const { run, busy, failure, forget } = useAct()
  const [saved, setSaved] = useState(false)
  // A record that changed elsewhere is shown anew, unless somebody is editing it here.
  useEffect(() => {
    setText((now) => (now === from ? stored : now))
    setFrom(stored)
  }, [stored])

  const save = () =>
    run(async () => {
      const edited: StateRecord = JSON.parse(text)
      await call('state', { method: 'PATCH', body: { [collection]: [edited] } })
      const written = JSON.stringify(edited, null, 2)
      setText(written)
      setFrom(written)
      setSaved(true)
      refresh()
      location.hash = linkTo('state', collection, keyOf(collection, edited))
    })
  if (!isNew && record === undefined) {
    return (
      <Panel title="Record" of={of} back={['state', collection]}>
        <p class="nothing" role="status">
          There is no record <bdi>{of}</bdi> in {collection}. <a href={linkTo('state', collection)}>Back to the list</a>
        </p>
      </Panel>
    )
  }
  return (
    <Panel
      title={isNew ? `New record of ${collection}` : <bdi>{visible(of)}</bdi>}
      unsaved={text !== stored && !saved}
      of={of}
      back={['state', collection]}
    >
      <form
        class="record"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {isNew && example !== undefined && (
          <p class="quiet">This is a copy of the first record. Give it its own key.</p>
        )}
        <label class="field">
          Record (JSON)
          <textarea
            rows={Math.min(24, Math.max(8, text.split('\n').length + 1))}
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value)
              setSaved(false)
              forget()
            }}
          />
        </label>
        <Problem failure={failure} />
        <p class="buttons">
          <button type="submit" class="go" aria-busy={busy}>
            Save
          </button>
          <span role="status">{saved && 'Saved'}</span>
        </p>
      </form>
    </Panel>
  )
}
