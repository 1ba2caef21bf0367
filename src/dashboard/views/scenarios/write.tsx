import { useState } from 'preact/hooks'
import type { Coverage } from '../../../coverage/coverage.js'
import { linkTo } from '../../address.js'
import { call, Failure } from '../../api.js'
import { useFresh } from '../../fresh.js'
import { useAct } from '../../parts/act.js'
import { Panel } from '../../parts/panel.js'
import { Problem } from '../../parts/problem.js'
import type { ScenarioView } from '../../shapes.js'
import { OtherComplaints, type Refusal } from './complaints.js'
import { draftOf, emptyDraft, type RuleDraft, ruleOf } from './draft.js'
import { RuleForm } from './rule-form.js'

const ACCEPTED: Refusal = { complaints: [], sent: undefined }

/** The form in which a scenario is written; `from` is the one that it begins with. */
export function WritePanel({ from }: { readonly from: ScenarioView | undefined }) {
  const edits = from?.source === 'defined'
  const coverage = useFresh<Coverage>('coverage', [])
  const [name, setName] = useState(from === undefined || edits ? (from?.name ?? '') : `my-${from.name}`)
  const [description, setDescription] = useState(from?.description ?? '')
  const [rules, setRules] = useState<readonly RuleDraft[]>(() => from?.rules.map(draftOf) ?? [emptyDraft(0)])
  const [refusal, setRefusal] = useState(ACCEPTED)
  const { run, busy, failure } = useAct()
  const written = JSON.stringify([name, description, rules])
  const [original] = useState(written)
  const operations = [...new Set(coverage.data?.outcomes.map(({ outcome }) => outcome.replace(/:\d+$/, '')))]

  const save = (active: boolean) =>
    run(async () => {
      const made = rules.map(ruleOf)
      const sent = { description, rules: made.map(({ rule }) => rule), ...(active && { active }) }
      const complaints = made.flatMap((one) => one.complaints)
      setRefusal({ complaints, sent })
      if (complaints.length > 0) throw new Failure('Some fields are not valid JSON.', 400, complaints)
      try {
        await call(`scenarios/${encodeURIComponent(name.trim())}`, { method: 'PUT', body: sent })
      } catch (error) {
        if (error instanceof Failure) setRefusal({ complaints: error.complaints, sent })
        throw error
      }
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
    <Panel
      title={edits ? `Edit ${from.name}` : 'Write a scenario'}
      of={`write ${from?.name}`}
      back={['scenarios']}
      unsaved={written !== original}
    >
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
            onInput={(e) => setName(e.currentTarget.value)}
          />
        </label>
        <label class="field">
          Description
          <input value={description} autocomplete="off" onInput={(e) => setDescription(e.currentTarget.value)} />
        </label>
        <OtherComplaints of={refusal} at="" fields={['rules']} />
        {rules.map((rule, at) => (
          <RuleForm
            key={rule.id}
            at={at}
            last={rules.length - 1}
            rule={rule}
            operations={operations}
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
