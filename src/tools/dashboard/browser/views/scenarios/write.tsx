import { useEffect, useState } from 'preact/hooks'
import { linkTo } from '../../address.js'
import { callAdmin, getText } from '../../admin.js'
import { apiFacts } from '../../api-facts.js'
import { onChange } from '../../live.js'
import { Button, Choice, Form, Problem, useAct } from '../../parts/controls.js'
import { DraftNote, useDraft } from '../../parts/edits.js'
import { Panel } from '../../parts/panel.js'
import { TextEditor } from '../../parts/text-editor.js'
import { operationIn, type ScenarioView, scenarioPath, statusOf } from '../../scenarios.js'

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
  const name = isRecorded ? 'recorded' : `${from === undefined || isEdit ? '' : 'my-'}${from?.name ?? ''}`
  return (
    <Panel title={isEdit ? `Edit ${name}` : 'Write a scenario'} of={`write ${path}`} back={linkTo('scenarios')}>
      <Problem failure={failure} />
      {stored !== undefined && <Editor draftOf={path ?? ''} first={{ name, text: stored }} {...{ isEdit, outcomes }} />}
    </Panel>
  )
}

interface EditorProps {
  readonly draftOf: string
  readonly first: { readonly name: string; readonly text: string }
  readonly isEdit: boolean
  readonly outcomes: readonly string[]
}

function Editor({ draftOf, first, isEdit, outcomes }: EditorProps) {
  const draft = useDraft(draftOf, first)
  const { name: written, text } = draft.value
  const name = written.trim()
  const { run, busy, failure } = useAct()
  const write = (changed: string) => draft.set({ name: written, text: changed })
  const addRule = (chosen: string) => write(`${text.trimEnd()}\n${templates[chosen] ?? ruleFor(chosen)}`)
  const rename = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    draft.set({ name: currentTarget.value, text })
  const save = (query = '') =>
    run(async () => {
      await callAdmin('PUT', `${scenarioPath(name)}${query}`, text)
      draft.discard()
      location.hash = linkTo('scenarios', name)
    })
  const rules = [...outcomes, ...Object.keys(templates)]
  return (
    <Form class="write" submit={() => save()}>
      <label>
        Name
        <input required value={written} readOnly={isEdit} onInput={rename} />
      </label>
      <Choice label="Add a rule" none="Add a rule from a template" of={rules} set={addRule} />
      <TextEditor label="Scenario (YAML)" text={text} failure={failure} set={write} completes={apiFacts.scenarioKeys} />
      <DraftNote {...draft} />
      <p class="row save">
        <button type="submit" aria-busy={busy}>
          Keep until reset
        </button>
        <Button label={`Write ${name || 'NAME'}.yaml`} busy={busy} act={() => save('?save=true')} />
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
