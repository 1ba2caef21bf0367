import { GATEWAY_STATUSES } from '../../../schemas/gateway.js'
import type { SwitchName } from '../../../schemas/interpretations.js'
import { defaultReadings, type Readings, schemaOfSwitch, valueText } from '../../../schemas/readings.js'
import { FAULTS } from '../../../schemas/scenario.js'
import { type Html, html } from '../../text/html.js'
import { allowed } from '../../text/wording.js'
import { prose } from './prose.js'

/** A numbered decision where the document is silent, as the page shows it. */
export interface Decision {
  readonly id: string
  readonly about: string
  readonly decision: string
  readonly reason: string
  readonly switches?: readonly SwitchName[]
}

/** What a request can ask of the mock itself. */
export function preferTable(): Html {
  return html`<section id="prefer" class="appendix" aria-labelledby="prefer-title">
<h2 id="prefer-title">Any outcome on demand</h2>
<p>To request a specific answer, send the <code>Prefer</code> header, or a query parameter if you cannot set a header. Separate several preferences with commas. The <code>Preference-Applied</code> header of the answer names those that were applied.</p>
<div class="scroll" role="region" aria-label="Preferences" tabindex="0"><table class="stack">
<thead><tr><th scope="col">Header</th><th scope="col">Query</th><th scope="col">What it does</th></tr></thead>
<tbody>
${preferences.map(
  ({ header, query, does }) =>
    html`<tr><th scope="row"><code>Prefer: ${header}</code></th><td class="one" data-label="Query"><code>${query}</code></td><td>${prose(does)}</td></tr>\n`,
)}</tbody></table></div>
</section>`
}

const preferences = [
  {
    header: 'code=409',
    query: '__code=409',
    does: `The outcome with that status. The operation must declare the status, or it must be a gateway status: ${GATEWAY_STATUSES.join(', ')}. It takes precedence over every check, including the token.`,
  },
  { header: 'delay=1500', query: '__delay=1500', does: 'Delays the answer by that many milliseconds.' },
  { header: 'scenario=NAME', query: '__scenario=NAME', does: 'Plays a scenario for this request only.' },
  {
    header: 'fault=NAME',
    query: '__fault=NAME',
    does: `Breaks the connection: ${FAULTS.map((fault) => `\`${fault}\``).join(', ')} (no answer until the client gives up).`,
  },
  {
    header: 'expect=400',
    query: '__expect=400',
    does: 'Says that the test expects this status. The operation answers as usual; if the request gets this status, its violations are not counted.',
  },
  {
    header: 'mutant=ID',
    query: '__mutant=ID',
    does: 'Makes one documented thing untrue, to see whether a test notices. `countersign list mutants` lists the ids.',
  },
]

/** A numbered sentence of the API document, as the page shows it. */
export interface Sentence {
  readonly id: string
  readonly text: string
  readonly notShown?: boolean
}

/** The sentences of the API document, each a row to link to. */
export function statementsTable(sentences: readonly Sentence[]): Html {
  return html`<section id="statements" class="appendix" aria-labelledby="statements-title">
<h2 id="statements-title">Statements</h2>
<p>Every sentence of the API document that says something about the API. What the document marks as “not shown” can only be interpreted.</p>
<div class="scroll" role="region" aria-label="Table of statements" tabindex="0"><table class="stack">
<thead><tr><th scope="col">No.</th><th scope="col">Statement</th></tr></thead>
<tbody>
${sentences.map(
  ({ id, text, notShown }) =>
    html`<tr id="${id}"><th scope="row">${id}</th><td>${prose(text)}${notShown === true ? html` <span class="quiet">Not shown.</span>` : ''}</td></tr>\n`,
)}</tbody></table></div>
</section>`
}

/** The decisions, each a row to link to. */
export function decisionsTable(decisions: readonly Decision[], readings: Readings): Html {
  return html`<section id="interpretations" class="appendix" aria-labelledby="interpretations-title">
<h2 id="interpretations-title">Interpretations</h2>
<p>Where the API document is silent, the mock has to decide. Where you may need another decision, there is a switch: a key under <code>interpretations</code> in the config file.</p>
<div class="scroll" role="region" aria-label="Decisions" tabindex="0"><table class="stack">
<thead><tr><th scope="col">No.</th><th scope="col">About</th><th scope="col">Decision</th><th scope="col">Reason</th></tr></thead>
<tbody>
${decisions.map((one) => row(one, readings))}</tbody></table></div>
</section>`
}

function row({ id, about, decision, reason, switches = [] }: Decision, readings: Readings): Html {
  return html`<tr id="${id}"><th scope="row">${id}</th><td data-label="About"><span>${prose(about)}</span></td><td data-label="Decision"><span>${prose(decision)}${switches.map((name) => switchOf(name, readings))}</span></td><td data-label="Reason"><span class="quiet">${prose(reason)}</span></td></tr>
`
}

/** What a switch takes, and what it is set to here. */
function switchOf(name: SwitchName, readings: Readings): Html {
  const here = valueText(name, readings)
  const byDefault = valueText(name, defaultReadings)
  return html`<br><span class="switch"><code>${name}</code>: ${allowed(schemaOfSwitch(name))}. Set to <code>${here}</code>${
    here === byDefault ? ', the default' : html`; the default is <code>${byDefault}</code>`
  }.</span>`
}
