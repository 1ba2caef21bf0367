import type { TObject, TSchema } from '@sinclair/typebox'
import { type Contract, outcomeId, type Provenance, statusesOf } from '../../../schemas/contract.js'
import { type ErrorShape, sampleBody } from '../../../schemas/errors.js'
import { type Markup, markup } from '../../markup.js'
import { provenanceWords } from '../../openapi/provenance.js'
import { allowed } from '../../words.js'
import { curlLine } from './docs-curl.js'
import { prose } from './docs-prose.js'
import { tryForm } from './docs-try.js'

/** What the sections share. */
export interface Place {
  /** The base URL, without a slash at its end. */
  readonly base: string
  readonly token: string
  readonly errorBody: ErrorShape
}

/** One operation: what the contract says at the left, how to call it at the right. */
export function operationSection(contract: Contract, { base, token, errorBody }: Place): Markup {
  const { id, section, summary, description } = contract
  return markup`<section id="${id}" class="operation" aria-labelledby="${id}-title">
<div class="head">
<p class="section">Endpoint ${section} · <code>${id}</code></p>
<h2 id="${id}-title">${summary}</h2>
<p class="route">${methodPill(contract)} <code>${pathMarkup(contract)}</code></p>
<p>${prose(description)} ${access(contract)}</p>
</div>
<div class="says">
${parameterTable(contract)}
${formTable(contract)}
<h3>Responses</h3>
${statusesOf(contract).map((status) => responseDetails(contract, status, errorBody))}
</div>
<div class="calls">
<h3>curl</h3>
<div class="curl"><pre tabindex="0"><code>${curlLine(contract, base, token)}</code></pre><button type="button" data-copy>Copy</button></div>
${tryForm(contract)}
</div>
</section>`
}

export function methodPill({ method }: Contract): Markup {
  return markup`<span class="method ${method.toLowerCase()}">${method}</span>`
}

export function badge(provenance: Provenance): Markup {
  return markup`<span class="badge ${provenance}">${provenanceWords[provenance].label}</span>`
}

/** A line may break after each slash. */
function pathMarkup({ path }: Contract): readonly Markup[] {
  return path.split(/(?<=\/)/).map((piece) => markup`${piece}<wbr>`)
}

function access({ tokenHeaders, permission }: Contract): Markup {
  const headers = tokenHeaders.map((header) => (header === 'authorization' ? 'Authorization: Bearer' : header))
  return markup`The token goes into ${headers.map((header, at) => markup`${at === 0 ? '' : ' or '}<code>${header}</code>`)}.${
    permission === undefined ? '' : markup` Needs the permission <code>${permission}</code>.`
  }`
}

function parameterTable({ id, params, query }: Contract): Markup {
  const rows = [...rowsOf(params, 'path'), ...rowsOf(query, 'query')]
  return rows.length === 0 ? markup`` : table(`${id}-parameters`, 'Parameters', 'In', rows)
}

function formTable({ id, form }: Contract): Markup {
  return form === undefined ? markup`` : table(`${id}-form`, 'Form fields', 'In', rowsOf(form, 'form'))
}

function table(id: string, title: string, second: string, rows: readonly Markup[]): Markup {
  return markup`<h3 id="${id}">${title}</h3>
<div class="scroll" role="region" aria-labelledby="${id}" tabindex="0"><table class="stack">
<thead><tr><th scope="col">Name</th><th scope="col">${second}</th><th scope="col">Value</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

function rowsOf({ properties, required }: TObject, place: string): Markup[] {
  return Object.entries(properties).map(([name, schema]) => {
    const needed = required?.includes(name) ?? false
    return markup`<tr><th scope="row"><code>${name}</code> ${needed ? markup`<span class="required">required</span>` : ''}</th><td data-label="In">${place}</td><td data-label="Value"><span>${value(schema)}</span></td></tr>
`
  })
}

function value(schema: TSchema): Markup {
  const description = schema.description === undefined ? '' : markup`${prose(schema.description)} `
  const example = schema.examples === undefined ? '' : markup` For example <code>${String(schema.examples[0])}</code>.`
  return markup`${description}<span class="quiet">Takes ${allowed(schema)}.${example}</span>`
}

function responseDetails(contract: Contract, status: number, errorBody: ErrorShape): Markup {
  const response = contract.responses[status]
  if (response === undefined) return markup``
  const { description, provenance } = response
  return markup`<details class="response"${status === 200 ? markup` open` : ''}>
<summary><span class="status s${Math.floor(status / 100)}">${status}</span> <span class="what">${prose(description)}</span> ${badge(provenance)}</summary>
<pre tabindex="0"><code>${JSON.stringify(sampleBody(contract, status, errorBody), null, 2)}</code></pre>
<p class="quiet">Outcome <code>${outcomeId(contract, status)}</code>; on demand with <code>Prefer: code=${status}</code></p>
</details>
`
}
