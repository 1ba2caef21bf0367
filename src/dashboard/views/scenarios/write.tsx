import { useState } from 'preact/hooks'
import type { Coverage } from '../../../coverage/coverage.js'
import { linkTo } from '../../address.js'
import { call, Failure } from '../../api.js'
import { useDraft } from '../../drafts.js'
import { useFresh } from '../../fresh.js'
import { useAct } from '../../parts/act.js'
import { DraftNote } from '../../parts/draft-note.js'
import { counted } from '../../parts/marks.js'
import { Panel } from '../../parts/panel.js'
import { Problem } from '../../parts/problem.js'
import { scenarioPath } from '../../scenarios.js'
import type { ScenarioView } from '../../shapes.js'
import { OtherComplaints, type Refusal } from './complaints.js'
import { draftOf, emptyDraft, type RuleDraft, ruleOf } from './draft.js'
import { RuleForm } from './rule-form.js'

/** A scenario as it is written in the form. */
interface ScenarioDraft {
  readonly name: string
  readonly description: string
  readonly rules: readonly RuleDraft[]
}

const ACCEPTED: Refusal = { complaints: [], sent: undefined }

/** The form in which a scenario is written; `from` is the one that it begins with. */
export function WritePanel({ from }: { readonly from: ScenarioView | undefined }) {
  const edits = from?.source === 'defined'
  const coverage = useFresh<Coverage>('coverage', [])
  const draft = useDraft<ScenarioDraft>(`scenario ${from?.name ?? ''}`, {
    name: from === undefined || edits ? (from?.name ?? '') : `my-${from.name}`,
    description: from?.description ?? '',
    rules: from?.rules.map(draftOf) ?? [emptyDraft(0)],
  })
  const { name, description, rules } = draft.value
  const setRules = (changed: readonly RuleDraft[]) => draft.set({ ...draft.value, rules: changed })
  const [refusal, setRefusal] = useState(ACCEPTED)
  const { run, busy, failure } = useAct()
  const operations = [...new Set(coverage.data?.outcomes.map(({ outcome }) => outcome.replace(/:\d+$/, '')))]

  const save = (active: boolean) =>
    run(async () => {
      const made = rules.map(ruleOf)
      const sent = { description, rules: made.map(({ rule }) => rule), ...(active && { active }) }
      const complaints = made.flatMap((one) => one.complaints)
      try {
        // What is no JSON here must not be taken; all else that is wrong is found nevertheless.
        const body = complaints.length === 0 ? sent : { ...sent, active: 'not yet' }
        await call(scenarioPath(name.trim()), { method: 'PUT', body })
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        const all = [...complaints, ...error.complaints.filter(({ path }) => path !== 'active')]
        setRefusal({ complaints: all, sent })
        throw all.length === 0 ? error : new Failure(`${counted(all.length, 'mistake')}: see the fields.`, 400, all)
      }
      draft.discard()
      location.hash = linkTo('scenarios', name.trim())
    })
  const replace = (id: number, rule: RuleDraft) => setRules(rules.map((one) => (one.id === id ? rule : one)))
  /** The complaints name rules by their place, which others take now. */
  const rearrange = (rearranged: readonly RuleDraft[]) => {
    setRules(rearranged)
    setRefusal(ACCEPTED)
  }
  const move = (at: number, by: number) => {
    const moved = [...rules]
    moved.splice(at + by, 0, ...moved.splice(at, 1))
    rearrange(moved)
  }

  return (
    <Panel title={edits ? `Edit ${from.name}` : 'Write a scenario'} of={`write ${from?.name}`} back={['scenarios']}>
      <form
        class="write"
        onSubmit={(event) => {
          event.preventDefault()
          void save(false)
        }}
      >
        <label class="field">
          Name
          <input
            required
            value={name}
            readOnly={edits}
            autocomplete="off"
            spellcheck={false}
            onInput={(e) => draft.set({ ...draft.value, name: e.currentTarget.value })}
          />
        </label>
        <label class="field">
          Description
          <input
            value={description}
            autocomplete="off"
            onInput={(e) => draft.set({ ...draft.value, description: e.currentTarget.value })}
          />
        </label>
        <OtherComplaints of={refusal} at="" fields={['rules']} />
        {rules.map((rule, at) => (
          <RuleForm
            key={rule.id}
            at={at}
            last={rules.length - 1}
            rule={rule}
            operations={operations}
            statuses={statusesOf(coverage.data, rule.on)}
            refusal={refusal}
            set={(changed) => replace(rule.id, changed)}
            move={(by) => move(at, by)}
            remove={() => rearrange(rules.filter((one) => one !== rule))}
          />
        ))}
        <p class="buttons">
          <button
            type="button"
            onClick={() => setRules([...rules, emptyDraft(Math.max(...rules.map(({ id }) => id)) + 1)])}
          >
            Add a rule
          </button>
        </p>
        <Problem failure={failure} />
        <DraftNote draft={draft} />
        <p class="buttons">
          <button type="submit" class="go" aria-busy={busy}>
            Save
          </button>
          <button type="button" aria-busy={busy} onClick={() => save(true)}>
            Save and switch on
          </button>
        </p>
      </form>
    </Panel>
  )
}

/** The statuses that these operations declare, all where none is chosen. */
function statusesOf(coverage: Coverage | undefined, operations: readonly string[]): readonly string[] {
  const outcomes = coverage?.outcomes.map(({ outcome }) => outcome.split(':') as [string, string]) ?? []
  const statuses = outcomes.filter(([operation]) => operations.length === 0 || operations.includes(operation))
  return [...new Set(statuses.map(([, status]) => status))].sort()
}
