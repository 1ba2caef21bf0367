import { code, page, table } from './markdown.mjs'

/** What we made of each silence of the API's document, and how to set it otherwise. */
export function interpretationsPage(sources) {
  return page(
    '# Interpretations',
    `Where the API's document is silent, the mock had to decide. Each decision has a number, which violations and the OpenAPI
document cite, and a reason. Where services may read the document otherwise, it has a *switch*: a key under
\`interpretations\` in the config file.`,
    code(
      'yaml config',
      `interpretations:
  successStatus: { addOrganizationMember: 201 }
  errorBody: { code: '{status}', errors: [{ detail: '{message}' }] }
  timestamps: seconds`,
    ),
    `The switches can also stand in a file of their own, which \`--interpretations FILE\` or \`interpretations: ./FILE\` in the
config file names: YAML or JSON with \`version: 1\` and the same keys under \`interpretations\`. A key of the config file
beats the one of that file. The mock, the OpenAPI document, coverage, \`list\` and \`verify\` all follow, and
edits take effect at once.

\`countersign list interpretations\` prints what each switch takes, its default and its value. \`countersign learn\` finds
out how a real service reads the document, and writes the file.`,
    interpretationTable(sources),
  )
}

/** Each interpretation, with its switches. */
function interpretationTable({ interpretations, schemaOfSwitch, allowed }) {
  const describe = (name) => {
    const schema = schemaOfSwitch(name)
    const byDefault = schema['x-default'] ?? schema.default
    const text = typeof byDefault === 'string' ? byDefault : JSON.stringify(byDefault)
    return `\`${name}\`: ${allowed(schema)}; by default ${text.includes("'") ? text : `\`${text}\``}`
  }
  return table(
    ['', 'about', 'our reading', 'why', 'switches'],
    interpretations.map(({ id, about, decision, reason, switches = [] }) => [
      id,
      about,
      decision,
      reason,
      switches.map(describe).join('<br>'),
    ]),
  )
}
