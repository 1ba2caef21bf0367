import { defaultSwitches, type Switches } from '../../api/switches.js'
import type { Contract } from '../../engine/contract/contract.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { introduction } from './introduction.js'
import { mockHeaders, prefer } from './mock.js'
import { operationOf, tagOf } from './operation.js'
import { userTypeParameter } from './parameters.js'
import { namedSchemas } from './schema.js'
import { securitySchemes } from './security.js'
import { type Json, type OpenapiVersion, versions } from './versions.js'

export interface OpenapiOptions {
  readonly version: OpenapiVersion
  readonly packageVersion: string
  readonly serverUrl?: string
  readonly switches?: Switches
}

export function openapiDocument(contracts: readonly Contract[], options: OpenapiOptions): Json {
  const { version, packageVersion, serverUrl = 'http://127.0.0.1:4010', switches = defaultSwitches } = options
  const { openapi, license } = versions[version]
  const paths = pathsOf(contracts, version)
  const schemas = namedSchemas(version)
  // Linters warn of unused schemas.
  const references = JSON.stringify({ paths, schemas })
  const used = Object.entries(schemas).filter(([name]) => references.includes(`"#/components/schemas/${name}"`))
  return {
    openapi,
    info: {
      title: 'Enterprise Document Signing and Protection API',
      version: packageVersion,
      description: introduction(contracts, switches),
      contact: { name: 'countersign' },
      license,
    },
    servers: servers(serverUrl),
    tags: tags(contracts),
    paths,
    components: {
      securitySchemes: securitySchemes(contracts),
      parameters: { Prefer: prefer, UserType: userTypeParameter(version) },
      headers: mockHeaders,
      schemas: Object.fromEntries(used),
    },
  }
}

function pathsOf(contracts: readonly Contract[], version: OpenapiVersion): Json {
  const paths: Record<string, Json> = {}
  for (const contract of contracts)
    paths[contract.path] = { ...paths[contract.path], [contract.method.toLowerCase()]: operationOf(contract, version) }
  return paths
}

function servers(url: string): Json[] {
  const root = url.replace(/\/~[^/]*\/?$/, '')
  return [
    { url, description: 'The mock server.' },
    {
      url: `${root}/~{sandbox}`,
      description:
        'A sandbox: with its own state, created on first use. Its name has 1 to 64 letters, digits, dots, hyphens and underscores.',
      // No description: the JSON Schema of OpenAPI 3.1 misspells it.
      variables: { sandbox: { default: 'worker-1' } },
    },
  ]
}

function tags(contracts: readonly Contract[]): Json[] {
  const byTag = groupBy(contracts, tagOf)
  return Array.from(byTag, ([name, own]) => ({
    name,
    description: own.map(({ section, summary }) => `${section}. ${summary}.`).join(' '),
  }))
}
