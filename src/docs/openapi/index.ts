export { type OpenapiOptions, openapiDocument } from './document.js'
export { type OpenapiVersion, openapiVersions } from './versions.js'
