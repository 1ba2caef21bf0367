import { code, page, table } from './markdown.mjs'

/** What we made of each silence of the API document, and how to set it otherwise. */
export function interpretationsPage({ interpretations }) {
  return page(
    '# Interpretations',
    `Where the API document is silent, countersign had to decide. Each decision has a number, which violations and the
OpenAPI document cite. Six have a *switch* for services that differ: a key under \`interpretations\` in the config file.`,
    code(
      'yaml config',
      `interpretations:
  successStatus: { addOrganizationMember: 201 }
  errorBody: { code: '{status}', errors: [{ detail: '{message}' }] }`,
    ),
    `The mock, the OpenAPI document, coverage and \`verify\` follow. \`npx countersign list interpretations\` prints what
each switch takes, and its value. For other differences of a service, a [scenario](scenarios.md) answers the calls that
matter.`,
    table(
      ['', 'about', 'our interpretation', 'why'],
      interpretations.map(({ id, about, decision, reason }) => [id, about, decision, reason]),
    ),
  )
}
