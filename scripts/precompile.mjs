// Makes code of the checks that a start and the calls of the API need, so that their compiler is loaded only where
// something departs from its schema and has to be told how.
import { _, Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { importSources } from './sources.mjs'

/** What stands in the place of src/validation/precompiled-checks.ts. */
export async function precompiledChecks() {
  const { knownSchemas, rules, regExp, CLOCK, nameless } = await importSources(`
    export { knownSchemas } from './src/validation/known-schemas.js'
    export { CLOCK, nameless, rules } from './src/validation/full-check.js'
    export { regExp } from './src/validation/formats.js'`)
  const code = { source: true, esm: true, lines: true, regExp, formats: _`formats` }
  const compiler = new Ajv({ ...rules, code, messages: false })
  compiler.addKeyword({ keyword: CLOCK, type: 'string', macro: () => ({ format: 'clock' }) })
  const names = knownSchemas.map((_, at) => `fits${at}`)
  for (const [at, schema] of knownSchemas.entries()) compiler.addSchema(nameless(schema), names[at])
  const text = standalone(compiler, Object.fromEntries(names.map((name) => [name, name])))
  return `
    import { formats, regExp } from './formats.js'
    ${withoutReasons(text)}
    export const checks = [${names}]`
}

/** Two thirds of the code says why a value does not fit: what does not is checked again, by the compiler. */
function withoutReasons(text) {
  const short = text
    .replace(/^validate\d+\.errors = .*$/gm, '')
    .replace(/^(const err\d+ = ).*$/gm, (_, name) => `${name}0;`)
  if (/\.errors\b/.test(short)) throw new Error('A check looks at the reasons of another.')
  return short
}
