import { openapiVersions } from '../../docs/openapi/versions.js'
import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['openapi [options]'],
  about: ['Prints the OpenAPI document, as a server with the same options would serve it.'],
  flags: {
    version: {
      value: openapiVersions.join('|'),
      does: `Version of OpenAPI; 3.0 is for older tools (default ${openapiVersions[0]}).`,
    },
    yaml: { does: 'Print YAML instead of JSON.' },
  },
  options: {
    config: true,
    interpretations: true,
    vary: 'Describe the answers of a server with --vary.',
    host: 'Host that the document names as the server.',
    port: 'Port that the document names as the server.',
  },
  examples: ['countersign openapi > openapi.json', 'countersign openapi --version 3.0 --yaml > openapi.yaml'],
}
