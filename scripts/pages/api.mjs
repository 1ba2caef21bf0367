import { page } from './markdown.mjs'

/** The parts of the API document that are about no single operation, by how the ids of their statements begin. */
const PARTS = { S0: 'Conventions', SA: 'Authentication', SU: 'The parameter user_type', SE: 'Errors' }

/** What the API document says, sentence by sentence. */
export function apiPage({ statements, contracts }) {
  const operations = Object.fromEntries(
    contracts.map(({ id, summary }, at) => [`S${at + 1}`, `${at + 1}. ${id}: ${summary}`]),
  )
  const parts = Object.entries({ ...PARTS, ...operations })
  return page(
    '# The API document',
    `The document of the *Enterprise Document Signing and Protection API*, sentence by sentence. Violations, the OpenAPI
document and reports cite the numbers. For topics that are *not shown*, countersign has an
[interpretation](interpretations.md), or leaves them open.`,
    ...parts.map(([prefix, title]) =>
      [
        `## ${title}\n`,
        ...statements
          .filter(({ id }) => id.startsWith(`${prefix}.`))
          .map(({ id, text, notShown }) => `- **${id}** ${notShown ? '*Not shown:* ' : ''}${text}`),
      ].join('\n'),
    ),
  )
}
