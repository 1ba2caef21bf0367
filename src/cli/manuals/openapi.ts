import { openapiVersions } from '../../docs/openapi/versions.js'
import type { Manual } from '../manual.js'

export const manual: Manual = {
  usage: ['openapi [options]'],
  about: ['Prints the OpenAPI document that a server with the same options would serve.'],
  flags: {
    version: {
      value: openapiVersions.join('|'),
      does: `OpenAPI version; 3.0 is for older tools (default ${openapiVersions[0]}).`,
    },
    yaml: { does: 'Print YAML instead of JSON.' },
  },
  options: {
    config: true,
    host: 'Host of the server URL in the document.',
    port: 'Port of the server URL in the document.',
  },
  examples: ['countersign openapi > openapi.json', 'countersign openapi --version 3.0 --yaml > openapi.yaml'],
}
