import type { Contract } from '../../../schemas/contract.js'
import { defaultReadings, type Readings } from '../../../schemas/readings.js'
import { type Html, html, trustedHtml } from '../../text/html.js'
import { provenances, provenanceWords } from '../provenance.js'
import { type Decision, decisionsTable, preferTable, type Sentence, statementsTable } from './appendix.js'
import { badge, methodPill, operationSection } from './operation.js'

export interface DocsOptions {
  /** The page's own style and script, as text. */
  readonly style: string
  readonly script: string
  /** The base URL of the world that the page is about. */
  readonly url: string
  /** The user token to begin with. */
  readonly token: string
  /** The readings that the contracts are under. */
  readonly readings?: Readings
}

/** The documentation page: what the contracts say, with a form to try each operation in the same world. */
export function docsPage(
  contracts: readonly Contract[],
  sentences: readonly Sentence[],
  decisions: readonly Decision[],
  { style, script, url, token, readings = defaultReadings }: DocsOptions,
): string {
  const base = url.replace(/\/$/, '')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>countersign · API documentation</title>
<link rel="icon" href="data:,">
<style>${trustedHtml(style)}</style>
</head>
<body data-base="${base}">
<a class="skip" href="#content">Skip to the content</a>
${header()}
<div class="page">
${navigation(contracts)}
<main id="content">
${introduction(base, token)}
${contracts.map((contract) => operationSection(contract, { base, token }))}
${preferTable()}
${statementsTable(sentences)}
${decisionsTable(decisions, readings)}
</main>
</div>
<script>${trustedHtml(script)}</script>
<script type="module" src="dashboard.js"></script>
</body>
</html>
`.text
}

/** The dashboard's bar, which its script fills; without one, the way back. The links are relative, below any prefix. */
function header(): Html {
  return html`<div id="bar"><header class="top">
<p class="brand">countersign</p>
<nav aria-label="Dashboard" class="views"><ul>
<li><a href="./">Dashboard</a></li>
<li><a href="docs" aria-current="page">Docs</a></li>
</ul></nav>
</header></div>`
}

function navigation(contracts: readonly Contract[]): Html {
  return html`<nav aria-label="Contents" class="contents">
<ul>
${contracts.map(
  (contract) => html`<li><a href="#${contract.id}">${methodPill(contract)} <span>${contract.summary}</span></a></li>
`,
)}<li class="apart"><a href="#prefer">Any outcome on demand</a></li>
<li><a href="#statements">Statements</a></li>
<li><a href="#interpretations">Interpretations</a></li>
</ul>
</nav>`
}

function introduction(base: string, token: string): Html {
  return html`<section class="intro" aria-labelledby="title">
<h1 id="title">Enterprise Document Signing and Protection API</h1>
<p class="lead">Served by countersign, a local mock server, at <code>${base}</code>, and as OpenAPI: <a href="openapi.json">3.1</a>, <a href="openapi.json?version=3.0">3.0</a>. The badge of each response below says where the response comes from:</p>
<ul class="legend">
${provenances.map((provenance) => html`<li>${badge(provenance)} <span>${provenanceWords[provenance].sentence}</span></li>\n`)}</ul>
<div class="token"><label for="token">User token for the forms below</label>
<input id="token" value="${token}" autocomplete="off" spellcheck="false"></div>
<noscript><p>Trying operations from this page needs JavaScript; the curl lines do not.</p></noscript>
</section>`
}
