import { useEffect, useState } from 'preact/hooks'
import { linkTo } from '../../address.js'
import { callAdmin, getText } from '../../api.js'
import { onChange } from '../../live.js'
import { Form, Options, Problem, useAct } from '../../parts/controls.js'
import { DraftNote, useDraft } from '../../parts/drafts.js'
import { Panel } from '../../parts/panel.js'
import { TextEditor } from '../../parts/text-editor.js'
import { operationIn, type ScenarioView, scenarioPath, statusOf, switchScenario } from '../../scenarios.js'

interface WritePanelProps {
  readonly from: ScenarioView | undefined
  /** Begins with what the journal has. */
  readonly isRecorded: boolean
  readonly outcomes: readonly string[]
}

const EMPTY = 'version: 1\ndescription: ""\nrules:\n'

export function WritePanel({ from, isRecorded, outcomes }: WritePanelProps) {
  const path = isRecorded ? 'requests?format=scenario' : from && `${scenarioPath(from.name)}?format=yaml`
  const isEdit = from?.source === 'defined'
  const [stored, setStored] = useState(path === undefined ? EMPTY : undefined)
  const { run, failure } = useAct()
  useEffect(() => {
    if (path === undefined) return
    const look = () => run(async () => setStored(await getText(path)))
    void look()
    // Saving a copy overwrites nothing.
    return isEdit ? onChange((changed) => (changed === 'all' || changed.includes('scenarios')) && look()) : undefined
  }, [path])
  return (
    <Panel title={isEdit ? `Edit ${from.name}` : 'Write a scenario'} of={`write ${path}`} back={linkTo('scenarios')}>
      <Problem failure={failure} />
      {stored !== undefined && (
        <Editor from={from} isRecorded={isRecorded} isEdit={isEdit} stored={stored} outcomes={outcomes} />
      )}
    </Panel>
  )
}

function Editor({
  from,
  isRecorded,
  isEdit,
  stored,
  outcomes,
}: WritePanelProps & { readonly isEdit: boolean; readonly stored: string }) {
  const draft = useDraft(`scenario ${isRecorded ? '/recorded' : (from?.name ?? '')}`, {
    name: isRecorded ? 'recorded' : from === undefined ? '' : `${isEdit ? '' : 'my-'}${from.name}`,
    text: stored,
  })
  const { name, text } = draft.value
  const { run, busy, failure } = useAct()
  const write = (changed: string) => draft.set({ name, text: changed })
  const save = (active: boolean, query = '') =>
    run(async () => {
      await callAdmin('PUT', `${scenarioPath(name.trim())}${query}`, text)
      if (active) await switchScenario(name.trim(), true)
      draft.discard()
      location.hash = linkTo('scenarios', name.trim())
    })
  return (
    <Form class="write" submit={() => save(false)}>
      <label>
        Name
        <input
          required
          value={name}
          readOnly={isEdit}
          onInput={({ currentTarget }) => draft.set({ name: currentTarget.value, text })}
        />
      </label>
      <label>
        Add a rule
        <select
          onChange={({ currentTarget }) => {
            write(`${text.trimEnd()}\n${templates[currentTarget.value] ?? ruleFor(currentTarget.value)}`)
            currentTarget.value = ''
          }}
        >
          <option value="">Choose a template</option>
          <Options of={[...outcomes, ...Object.keys(templates)]} />
        </select>
      </label>
      <TextEditor label="Scenario (YAML)" text={text} failure={failure} set={write} completes="scenario" />
      <DraftNote {...draft} />
      <p class="row in-sight">
        <button type="submit" aria-busy={busy}>
          Save
        </button>
        <button type="button" aria-busy={busy} onClick={() => save(true)}>
          Save and switch on
        </button>
        <button type="button" aria-busy={busy} onClick={() => save(false, '?save=true')}>
          Save as scenario file
        </button>
      </p>
    </Form>
  )
}

const templates: Readonly<Record<string, string>> = {
  delay: "  - on: '*'\n    answer: { delay: 3000 }\n",
  fault: "  - on: '*'\n    times: 1\n    answer: { fault: CONNECTION_RESET_BY_PEER }\n",
}

function ruleFor(outcome: string): string {
  const on = outcome.startsWith('gateway:') ? "'*'" : operationIn(outcome)
  return `  - on: ${on}\n    times: 1\n    answer: { status: ${statusOf(outcome)} }\n`
}
