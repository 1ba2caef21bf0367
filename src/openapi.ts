export { type OpenapiOptions, openapiDocument } from './openapi/document.js'
export { type OpenapiVersion, openapiVersions } from './openapi/versions.js'
