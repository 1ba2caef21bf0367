import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ScenarioView } from '../../../../engine/http/admin/scenarios.js'
import { CallError, callAdmin, useAdminQuery } from '../admin.js'
import { apiFacts, linkTo } from '../page.js'
import { Button, Choice, Form, Problem, useAct } from '../parts/controls.js'
import type { openEditor } from '../parts/editor.js'
import { DraftNote, useDraft } from '../parts/edits.js'
import { Panel } from '../parts/panel.js'
import { operationIn, scenarioPath, statusOf } from '../scenarios.js'

interface WritePanelProps {
  /** Empty for a new scenario. */
  readonly name: string
  /** Undefined if it is new, broken or hidden. */
  readonly from: ScenarioView | undefined
  /** Begins with the journal's requests. */
  readonly isRecorded: boolean
  readonly outcomes: readonly string[]
}

const LABEL = 'Scenario (YAML)'
const completions = apiFacts.scenarioKeys
const EMPTY = 'version: 1\ndescription: ""\nrules:\n'

/** `tag` changes with each edit of the file. */
interface EditedScenario {
  readonly name: string
  readonly text: string
  readonly file?: string | undefined
  readonly tag?: string
}

export function WritePanel({ name: edited, from, isRecorded, outcomes }: WritePanelProps) {
  // Until the server has read a saved file, the list shows a definition.
  const wasFile = useRef(false)
  wasFile.current ||= from?.source === 'file'
  const isFromFile = wasFile.current || (edited !== '' && from === undefined)
  const isEdit = isFromFile || from?.source === 'defined'
  const name = isRecorded ? 'recorded' : isEdit || edited === '' ? edited : `my-${edited}`
  const path = isFromFile
    ? `${scenarioPath(name)}?source=true`
    : isRecorded
      ? 'requests?format=scenario'
      : from && `${scenarioPath(from.name)}?format=yaml`
  const { data, failure, refetch } = useAdminQuery<string | EditedScenario>(path, isEdit ? ['scenarios', 'files'] : [])
  const isGone = failure?.status === 404
  // The draft of a scenario or file that was removed stays.
  const known = data ?? (path === undefined || isGone ? EMPTY : undefined)
  const stored =
    typeof known === 'string' ? { name, text: known } : known && { ...known, name, ...(isGone && { file: undefined }) }
  return (
    <Panel
      title={isEdit ? `Edit ${name}` : 'Write a scenario'}
      focusKey={`write ${edited} ${path}`}
      back={linkTo('scenarios')}
    >
      <Problem failure={failure} />
      {stored && (
        <Editor draftOf={isEdit ? scenarioPath(name) : (path ?? '')} {...{ stored, refetch, isEdit, outcomes }} />
      )}
    </Panel>
  )
}

interface EditorProps {
  readonly draftOf: string
  readonly stored: EditedScenario
  readonly refetch: () => void
  readonly isEdit: boolean
  readonly outcomes: readonly string[]
}

function Editor({ draftOf, stored, refetch, isEdit, outcomes }: EditorProps) {
  const draft = useDraft(draftOf, stored)
  const { name: typed, text, tag = '' } = draft.value
  const { file } = stored
  const name = typed.trim()
  const { run, busy, failure } = useAct()
  const complaints = useComplaints(name, text)
  const setText = (changed: string) => draft.set({ ...draft.value, text: changed })
  const addRule = (chosen: string) =>
    setText(`${text.trimEnd().replace(/^rules: \[\]$/m, 'rules:')}\n${templates[chosen] ?? ruleFor(chosen)}`)
  const rename = ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
    draft.set({ ...draft.value, name: currentTarget.value })
  const save = (query = '') =>
    run(async () => {
      await callAdmin('PUT', `${scenarioPath(name)}${query}`, text).catch((error: CallError) => {
        if (error.status === 409) refetch()
        throw error
      })
      draft.discard()
      location.hash = linkTo('scenarios', name)
    })
  const rules = [...outcomes, ...Object.keys(templates)]
  const field = useRef<HTMLInputElement>(null)
  const saveNewFile = () => field.current?.reportValidity() && save('?save=true')
  const saveFile = (savedTag: string) => save(`?save=true&tag=${encodeURIComponent(savedTag)}`)
  return (
    <Form class="write" submit={() => (file === undefined ? save() : saveFile(tag))}>
      <label>
        Name
        <input ref={field} required pattern=".*\S.*" value={typed} readOnly={isEdit} onInput={rename} />
      </label>
      <Choice label="Add a rule" none="Add a rule from a template" of={rules} set={addRule} />
      <TextEditor text={text} failure={failure ?? complaints} set={setText} />
      <DraftNote
        {...draft}
        isOutdated={isEdit && draft.isOutdated}
        keepsOtherChanges={draft.value.file !== undefined}
      />
      {file !== undefined && draft.isOutdated && (
        <details open>
          <summary>{file} now</summary>
          <pre>{stored.text}</pre>
          <Button label="Save over it" aria-busy={busy} act={() => saveFile(stored.tag ?? '')} />
        </details>
      )}
      <p class="row save">
        <button type="submit" aria-busy={busy}>
          {file === undefined ? 'Keep until reset' : 'Save file'}
        </button>
        {file === undefined ? (
          <Button label={`Write ${name || 'NAME'}.yaml`} aria-busy={busy} act={saveNewFile} />
        ) : (
          <code>{file}</code>
        )}
      </p>
    </Form>
  )
}

/** Milliseconds after the last key. */
const PAUSE_MS = 500

function useComplaints(name: string, text: string): CallError | undefined {
  const [complaints, setComplaints] = useState<CallError>()
  useEffect(() => {
    setComplaints(undefined)
    if (name === '' || text === EMPTY) return
    let isOver = false
    const show = (error: unknown) => {
      if (!isOver && error instanceof CallError && error.complaints.length > 0) setComplaints(error)
    }
    const timer = setTimeout(() => callAdmin('PUT', `${scenarioPath(name)}?check=true`, text).catch(show), PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [name, text])
  return complaints
}

const templates: Readonly<Record<string, string>> = {
  delay: "  - on: '*'\n    answer: { delay: 3000 }\n",
  fault: "  - on: '*'\n    times: 1\n    answer: { fault: CONNECTION_RESET_BY_PEER }\n",
}

function ruleFor(outcome: string): string {
  const on = outcome.startsWith('gateway:') ? "'*'" : operationIn(outcome)
  return `  - on: ${on}\n    times: 1\n    answer: { status: ${statusOf(outcome)} }\n`
}

function TextEditor({ text, failure, set }: { text: string; failure?: CallError; set: (text: string) => void }) {
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<ReturnType<typeof openEditor>>()
  const current = useRef({ text, set })
  current.current = { text, set }
  useEffect(() => {
    let opened: typeof editor
    void import(new URL('editor.js', document.baseURI).href).then((module: { openEditor: typeof openEditor }) => {
      if (place.current === null) return
      const changed = (now: string) => current.current.set(now)
      opened = module.openEditor(place.current, { label: LABEL, text: current.current.text, changed, completions })
      setEditor(opened)
    })
    return () => opened?.close()
  }, [])
  // A later effect might overwrite what was typed.
  useLayoutEffect(() => editor?.setText(text), [editor, text])
  useEffect(() => editor?.showComplaints(failure?.complaints ?? []), [editor, failure])
  return (
    <>
      <small class="quiet">{LABEL}</small>
      <div class="editor" ref={place} />
      <Problem failure={failure} select={(line) => editor?.select(line)} />
    </>
  )
}
