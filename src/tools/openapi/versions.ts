export type Json = { readonly [key: string]: unknown }

/** Some tools read 3.0 better than 3.1. */
export const versions = {
  '3.1': { openapi: '3.1.0', license: { name: 'MIT', identifier: 'MIT' } },
  '3.0': { openapi: '3.0.3', license: { name: 'MIT', url: 'https://opensource.org/license/mit' } },
} as const

export type OpenapiVersion = keyof typeof versions

export const openapiVersions = Object.keys(versions) as OpenapiVersion[]
