import { code, page, table } from './markdown.mjs'

/** What we made of each silence of the API document, and how to set it otherwise. */
export function interpretationsPage(sources) {
  return page(
    '# Interpretations',
    `Where the API document is silent, the mock had to decide. Each decision has a number, which violations and the OpenAPI
document cite, and a reason. Where services may differ, it has a *switch*: a key under
\`interpretations\` in the config file.`,
    code(
      'yaml config',
      `interpretations:
  successStatus: { addOrganizationMember: 201 }
  errorBody: { code: '{status}', errors: [{ detail: '{message}' }] }
  timestamps: seconds`,
    ),
    `The mock, the OpenAPI document, coverage, \`list\` and \`verify\` follow. \`countersign list interpretations\` prints what
each switch takes, its default and its value.`,
    interpretationTable(sources),
  )
}

/** Each interpretation, with its switches. */
function interpretationTable({ interpretations, schemaOfSwitch, describeAllowed, switchText }) {
  const describe = (name) => {
    const schema = schemaOfSwitch(name)
    const text = switchText(schema.default)
    return `\`${name}\`: ${describeAllowed(schema)}; by default ${text.includes("'") ? text : `\`${text}\``}`
  }
  return table(
    ['', 'about', 'our interpretation', 'why', 'switches'],
    interpretations.map(({ id, about, decision, reason, switches = [] }) => [
      id,
      about,
      decision,
      reason,
      switches.map(describe).join('<br>'),
    ]),
  )
}
