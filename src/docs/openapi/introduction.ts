import { type Contract, outcomeId, type Provenance, statusesOf } from '../../../schemas/contract.js'
import { interpretations } from '../../../schemas/interpretations.js'
import { type Readings, switchedOtherwise } from '../../../schemas/readings.js'
import { observedSentence, provenancesOf, provenanceWords } from '../provenance.js'

/** The document's description: where it comes from, and what in it is no more than our reading. */
export function introduction(contracts: readonly Contract[], readings: Readings, varying: boolean): string {
  const otherwise = switchedOtherwise(readings)
  return [
    'Generated from the contracts of countersign, a local server that stands in for the *Enterprise Document Signing and Protection API*. Do not edit it: change the contract, then run `npm run generate`.',
    '## Provenance',
    'Every response says in `x-provenance` where it comes from, and every operation in `x-section` which endpoint of the API document it is.',
    ...provenancesOf(contracts).map((provenance) => `- ${provenanceLine(contracts, provenance)}`),
    '## What is assumed',
    'Where the API document is silent, countersign decides; texts below refer to these decisions by number.',
    ...interpretations.map(({ id, about, decision }) => `- **${id}, ${about}.** ${decision}`),
    ...(otherwise.length === 0
      ? []
      : [`In this document, read otherwise: ${otherwise.map((one) => `\`${one}\``).join(', ')}.`]),
    ...(readings.observed === undefined ? [] : [observedSentence(readings.observed)]),
    ...(varying
      ? [
          'This document describes answers that vary (`--vary`): wherever the API document leaves it open, a success is 200 or 201 (I-01), and an error has one of several bodies (I-02). Every answer names in `X-Mock-Varied` what was varied in it.',
        ]
      : []),
    '## What only the mock adds',
    'The `Prefer` request header and the `X-Mock-…` response headers are not part of the API. What the API would never say (no such route, an outcome that is not declared, a body over the limit) is answered as `application/problem+json` with the header `X-Mock-Error`, and is not described here.',
  ]
    .join('\n\n')
    .replaceAll(/(\n- .*)\n(?=\n- )/g, '$1')
}

function provenanceLine(contracts: readonly Contract[], provenance: Provenance): string {
  const outcomes = contracts.flatMap((contract) =>
    statusesOf(contract)
      .filter((status) => contract.responses[status]?.provenance === provenance)
      .map((status) => outcomeId(contract, status)),
  )
  const named = provenance === 'assumed' ? ` (${outcomes.join(', ')})` : ''
  return `\`${provenance}\`: ${outcomes.length} of the responses${named}. ${provenanceWords[provenance].sentence}`
}
