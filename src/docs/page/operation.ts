import type { TObject, TSchema } from '@sinclair/typebox'
import { sampleBody } from '../../../schemas/bodies.js'
import { allCitesOf, type Cite } from '../../../schemas/cites.js'
import { exampleOf } from '../../../schemas/common.js'
import { type Contract, isSuccess, outcomeId, type Provenance, statusesOf } from '../../../schemas/contract.js'
import { type Html, html } from '../../text/html.js'
import { allowed } from '../../text/wording.js'
import { curlLine } from '../example-call.js'
import { provenanceWords } from '../provenance.js'
import { prose } from './prose.js'
import { tryForm } from './try-form.js'

/** What the sections share. */
export interface Place {
  /** The base URL, without a slash at its end. */
  readonly base: string
  readonly token: string
}

/** One operation: what the contract says at the left, how to call it at the right. */
export function operationSection(contract: Contract, { base, token }: Place): Html {
  const { id, section, summary, description } = contract
  return html`<section id="${id}" class="operation" aria-labelledby="${id}-title">
<div class="head">
<p class="section">Endpoint ${section} · <code>${id}</code></p>
<h2 id="${id}-title">${summary}</h2>
<p class="route">${methodPill(contract)} <code>${pathMarkup(contract)}</code></p>
<p>${prose(description)} ${access(contract)}${citesLine(contract.cites)}</p>
</div>
<div class="says">
${parameterTable(contract)}
${bodyTable(contract)}
<h3>Responses</h3>
${statusesOf(contract).map((status) => responseDetails(contract, status))}
</div>
<div class="calls">
<div class="curl"><h3>curl</h3><button type="button" data-copy>Copy</button>
<pre tabindex="0"><code>${curlLine(contract, base, token)}</code></pre></div>
${tryForm(contract)}
</div>
</section>`
}

export function methodPill({ method }: Contract): Html {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`
}

export function badge(provenance: Provenance): Html {
  return html`<span class="badge ${provenance}">${provenanceWords[provenance].label}</span>`
}

/** A line may break after each slash. */
function pathMarkup({ path }: Contract): readonly Html[] {
  return path.split(/(?<=\/)/).map((piece) => html`${piece}<wbr>`)
}

function access({ tokenHeaders, permission }: Contract): Html {
  const headers = tokenHeaders.map((header) => (header === 'authorization' ? 'Authorization: Bearer' : header))
  return html`Send the token in ${headers.map((header, at) => html`${at === 0 ? '' : ' or '}<code>${header}</code>`)}.${
    permission === undefined ? '' : html` Needs the permission <code>${permission}</code>.`
  }`
}

function parameterTable({ id, params, query }: Contract): Html {
  const rows = [...rowsOf(params, 'path'), ...rowsOf(query, 'query')]
  return rows.length === 0 ? html`` : table(id, 'Parameters', ['Name', 'In', 'Value'], rows)
}

function bodyTable({ id, form }: Contract): Html {
  return form === undefined ? html`` : table(id, 'Form fields', ['Name', 'Value'], rowsOf(form))
}

function table(operation: string, title: string, columns: readonly string[], rows: readonly Html[]): Html {
  const id = `${operation}-${title.toLowerCase().replace(' ', '-')}`
  return html`<h3 id="${id}">${title}</h3>
<div class="scroll" role="region" aria-labelledby="${operation}-title ${id}" tabindex="0"><table class="stack">
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

function rowsOf({ properties, required }: TObject, place?: string): Html[] {
  return Object.entries(properties).map(
    ([name, schema]) =>
      html`<tr><th scope="row"><code>${name}</code>${
        required?.includes(name) ? html` <span class="required">required</span>` : ''
      }</th>${place === undefined ? '' : html`<td data-label="In">${place}</td>`}<td>${value(schema)}</td></tr>\n`,
  )
}

function value(schema: TSchema): Html {
  const words = allowed(schema).replace(/ such as .*/, '')
  const example = exampleOf(schema)
  return html`${prose(schema.description ?? '')} <span class="quiet">Takes ${words}.${
    example === '' || words.includes(example) ? '' : html` For example <code>${example}</code>.`
  }${citesLine(allCitesOf(schema))}</span>`
}

/** What something rests on, each a link to its row. */
function citesLine(cites: readonly Cite[]): Html {
  return cites.length === 0 ? html`` : html` <span class="cites">${prose(cites.join(' '))}</span>`
}

function responseDetails(contract: Contract, status: number): Html {
  const response = contract.responses[status]
  if (response === undefined) return html``
  const { description, provenance, cites } = response
  return html`<details class="response"${isSuccess(response) ? html` open` : ''}>
<summary><span class="status s${Math.floor(status / 100)}">${status}</span> <span class="what">${description.replaceAll('`', '')}</span> ${badge(provenance)}</summary>
<pre tabindex="0"><code>${JSON.stringify(sampleBody(contract, status), null, 2)}</code></pre>
<p class="quiet">Outcome <code>${outcomeId(contract, status)}</code>; on demand with <code>Prefer: code=${status}</code>${citesLine(cites)}</p>
</details>
`
}
