import { type Api, contractsOf } from '../../engine/api.js'
import { type Contract, outcomeId, type Provenance, statusesOf } from '../../engine/contract/contract.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { defaultValues, describeChangedSwitches, type SwitchValues } from '../../engine/contract/switches.js'
import { preferParameter } from './mock-headers.js'
import { operationOf, provenanceSentences, tagOf } from './operation.js'
import { type DocumentParts, namedSchemas, translatedSchemas, withCites } from './schema.js'
import { type Json, type OpenapiVersion, versions } from './versions.js'

export interface OpenapiOptions {
  readonly version: OpenapiVersion
  readonly packageVersion: string
  readonly serverUrl?: string
  readonly switches?: SwitchValues
  readonly preferences?: Readonly<Record<string, string>>
}

export function openapiDocument(api: Api, options: OpenapiOptions): Json {
  const { version, packageVersion, serverUrl = 'http://127.0.0.1:4010', preferences = {} } = options
  const { openapi, license } = versions[version]
  const contracts = contractsOf(api)
  const parts = { version, schemas: namedSchemas(api), sampleFiles: api.sampleFiles }
  const paths = pathsOf(contracts, parts)
  return {
    openapi,
    info: {
      title: api.name,
      version: packageVersion,
      description: introduction(api, options.switches ?? defaultValues(api.switches)),
      contact: { name: 'countersign' },
      license,
    },
    servers: servers(serverUrl),
    tags: tags(contracts),
    paths,
    components: {
      securitySchemes: securitySchemes(api),
      parameters: { Prefer: preferParameter(preferences) },
      schemas: usedSchemas(translatedSchemas(parts), paths),
    },
  }
}

function pathsOf(contracts: readonly Contract[], parts: DocumentParts): Json {
  const paths: Record<string, Json> = {}
  for (const contract of contracts)
    paths[contract.path] = { ...paths[contract.path], [contract.method.toLowerCase()]: operationOf(contract, parts) }
  return paths
}

/** Linters warn about unused schemas. */
function usedSchemas(schemas: Json, paths: Json): Json {
  const references = JSON.stringify({ paths, schemas })
  const used = Object.entries(schemas).filter(([name]) => references.includes(`"#/components/schemas/${name}"`))
  return Object.fromEntries(used)
}

function securitySchemes(api: Api): Json {
  const used = new Set(contractsOf(api).flatMap(({ tokenHeaders }) => tokenHeaders))
  const schemes = api.conventions.tokenHeaders
    .filter((header) => used.has(header))
    .map(({ label, scheme, cites, security }) => {
      const type =
        scheme === undefined ? { type: 'apiKey', in: 'header', name: label } : { type: 'http', scheme: 'bearer' }
      return [security.name, { ...type, description: withCites(security.description, cites), 'x-cites': cites }]
    })
  return Object.fromEntries(schemes)
}

function servers(url: string): Json[] {
  const root = url.replace(/\/~[^/]*\/?$/, '')
  return [
    { url, description: 'The mock server.' },
    {
      url: `${root}/~{sandbox}`,
      description:
        'A sandbox: with its own state, created on first use. Its name has 1 to 64 letters, digits, dots, hyphens and underscores.',
      // No `description`: OpenAPI 3.1's JSON Schema misspells it.
      variables: { sandbox: { default: 'worker-1' } },
    },
  ]
}

function tags(contracts: readonly Contract[]): Json[] {
  const byTag = groupBy(contracts, tagOf)
  return Array.from(byTag, ([name, group]) => ({
    name,
    description: group.map(({ section, summary }) => `${section}. ${summary}.`).join(' '),
  }))
}

function introduction(api: Api, values: SwitchValues): string {
  const changes = describeChangedSwitches(api.switches, values)
  return [
    `Generated from the contracts of countersign, a local server that stands in for the *${api.name}*. Do not edit it: change the contract, then run \`npm run generate\`.`,
    '## Provenance',
    'The `x-provenance` of each response says where it comes from. The `x-section` of each operation says which endpoint of the API document it is.',
    (Object.keys(provenanceSentences) as Provenance[])
      .map((provenance) => `- ${provenanceLine(contractsOf(api), provenance)}`)
      .join('\n'),
    '## Assumptions',
    'Where the API document is silent, countersign decides. The texts below refer to these decisions by number.',
    api.interpretations.map(({ id, about, decision }) => `- **${id}, ${about}.** ${decision}`).join('\n'),
    ...(changes.length === 0
      ? []
      : [`Changed interpretations: ${changes.map((change) => `\`${change}\``).join(', ')}.`]),
    '## What the mock adds',
    'The `Prefer` request header and the `X-Mock-…` response headers are not part of the API. Answers that the API would never give (to an unknown route, an outcome that is not declared, a body over the limit) are sent as `application/problem+json` with the header `X-Mock-Error`, and are not described here.',
  ].join('\n\n')
}

function provenanceLine(contracts: readonly Contract[], provenance: Provenance): string {
  const outcomes = contracts.flatMap((contract) =>
    statusesOf(contract)
      .filter((status) => contract.responses[status]?.provenance === provenance)
      .map((status) => outcomeId(contract, status)),
  )
  const list = provenance === 'assumed' ? ` (${outcomes.join(', ')})` : ''
  return `\`${provenance}\`: ${outcomes.length} of the responses${list}. ${provenanceSentences[provenance]}`
}
