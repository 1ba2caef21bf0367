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
    `Switches apply to the mock, the OpenAPI document, coverage and \`verify\`. \`npx countersign list interpretations\` prints
their possible and current values. For other differences of a service, a [scenario](scenarios.md) answers the calls that
matter.`,
    table(
      ['', 'about', 'our interpretation', 'why'],
      interpretations.map(({ id, about, decision, reason }) => [id, about, decision, reason]),
    ),
  )
}
