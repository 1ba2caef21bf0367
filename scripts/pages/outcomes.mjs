import { readFile } from 'node:fs/promises'
import { table } from './markdown.mjs'

const [BEGIN, END] = ['<!-- outcomes -->', '<!-- /outcomes -->']

/** The README with its table of outcomes: why each operation answers with each status, and which of it is our interpretation. */
export async function readmeWithOutcomes(readme, { contracts, causes, basisOf }) {
  const text = await readFile(readme, 'utf8')
  const [before, rest] = text.split(BEGIN)
  const [, after] = rest.split(END)
  return `${before}${BEGIN}\n${outcomesTable(contracts, causes, basisOf)}\n${END}${after}`
}

function outcomesTable(contracts, causes, basisOf) {
  const statuses = [...new Set(Object.values(causes).flatMap((one) => Object.keys(one)))].sort()
  const rows = contracts.map(({ id, method, path }) => [
    `\`${id}\`<br>\`${method} ${path.replaceAll(/\{\w+\}/g, '{…}')}\``,
    ...statuses.map((status) => (causes[id][status] ?? []).map((one) => inWords(one, basisOf)).join('; ')),
  ])
  return table(['operation', ...statuses], rows)
}

function inWords({ why, cites }, basisOf) {
  return basisOf(cites) === 'interpretation' ? `*${why}* (${cites.join(', ')})` : why
}
