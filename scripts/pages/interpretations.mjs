import { code, page, table } from './markdown.mjs'

/** The page that lists the interpretations, and explains their switches. */
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
    `A switch changes the mock, the OpenAPI document, coverage and \`verify\`. \`npx countersign list interpretations\`
prints the allowed values and the current one. For other differences of a service, write a [scenario](scenarios.md).`,
    table(
      ['', 'about', 'our interpretation', 'why'],
      interpretations.map(({ id, about, decision, reason }) => [id, about, decision, reason]),
    ),
  )
}
