import { createRequire } from 'node:module'
import type { TSchema } from '@sinclair/typebox'
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv'
import type { Check, Departure } from './departure.js'
import { formats, isClock, regExp } from './formats.js'

/** In the bundle, the package is a file beside this one. */
const COMPILER = /\.ts(\?|$)/.test(import.meta.url) ? 'ajv' : './ajv.js'

let compiler: Ajv | undefined

/** The check of a schema that tells all departures. It is compiled when it is first called, and so is its compiler loaded. */
export function fullCheck(schema: TSchema): Check {
  let compiled: ValidateFunction | undefined
  return (value) => {
    compiled ??= compile(schema)
    return compiled(value) ? [] : (compiled.errors ?? []).flatMap(departuresOf)
  }
}

function compile(schema: TSchema): ValidateFunction {
  return loadCompiler().compile(nameless(schema))
}

/** What compiles checks. */
export function loadCompiler(): Ajv {
  compiler ??= newCompiler()
  return compiler
}

function newCompiler(): Ajv {
  const { default: Compiler } = createRequire(import.meta.url)(COMPILER) as { readonly default: typeof Ajv }
  const made = new Compiler({ ...rules, allErrors: true, verbose: true, code: { regExp } })
  return made.addKeyword({
    keyword: CLOCK,
    type: 'string',
    errors: false,
    validate: (_: unknown, text: string) => isClock(text),
  })
}

/** @public for the build. Schemas are kept by identity: an $id is a name for people here, and two of the same must not clash. */
export function nameless({ $id: _, ...schema }: TSchema): object {
  return schema
}

/** @public for the build. Exact: nothing is coerced, removed or defaulted, so that what is checked is what was sent. The schemas are ours. */
export const rules = { strict: false, validateSchema: false, validateFormats: true, formats } as const satisfies Options

/** @public for the build. No format: editors know none of that name. */
export const CLOCK = 'x-clock'

function departuresOf(error: ErrorObject): Departure[] {
  const path = error.instancePath === '' ? [] : error.instancePath.slice(1).split('/').map(unescapePointer)
  const parent = error.parentSchema as TSchema
  switch (error.keyword) {
    case 'required': {
      const name = String(error.params.missingProperty)
      return [
        { path: [...path, name], keyword: 'required', expected: parent.properties?.[name] ?? {}, value: undefined },
      ]
    }
    case 'additionalProperties': {
      const name = String(error.params.additionalProperty)
      const value = (error.data as Record<string, unknown>)[name]
      return [{ path: [...path, name], keyword: 'additionalProperties', expected: parent, value }]
    }
    default:
      return [{ path, keyword: error.keyword, expected: parent, value: error.data }]
  }
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
