import { type Api, contractsOf } from '../../engine/api.js'
import { type Contract, outcomeId, type Provenance, statusesOf } from '../../engine/contract/contract.js'
import { otherThanDefault, type SwitchValues } from '../../engine/contract/switches.js'
import { provenanceSentences } from './operation.js'

export function introduction(api: Api, values: SwitchValues): string {
  const otherwise = otherThanDefault(api.switches, values)
  return [
    `Generated from the contracts of countersign, a local server that stands in for the *${api.name}*. Do not edit it: change the contract, then run \`npm run generate\`.`,
    '## Provenance',
    'The `x-provenance` of each response says where it comes from. The `x-section` of each operation says which endpoint of the API document it is.',
    ...(Object.keys(provenanceSentences) as Provenance[]).map(
      (provenance) => `- ${provenanceLine(contractsOf(api), provenance)}`,
    ),
    '## Assumptions',
    'Where the API document is silent, countersign decides. The texts below refer to these decisions by number.',
    ...api.interpretations.map(({ id, about, decision }) => `- **${id}, ${about}.** ${decision}`),
    ...(otherwise.length === 0
      ? []
      : [`This document uses other interpretations: ${otherwise.map((one) => `\`${one}\``).join(', ')}.`]),
    '## Additions of the mock',
    'The `Prefer` request header and the `X-Mock-…` response headers are not part of the API. Answers that the API would never give (to an unknown route, an outcome that is not declared, a body over the limit) are sent as `application/problem+json` with the header `X-Mock-Error`, and are not described here.',
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
  return `\`${provenance}\`: ${outcomes.length} of the responses${named}. ${provenanceSentences[provenance]}`
}
