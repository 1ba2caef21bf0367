import { readFile } from 'node:fs/promises'
import { table } from './markdown.mjs'

const [BEGIN, END] = ['<!-- outcomes -->', '<!-- /outcomes -->']

/** The README with its table of outcomes: each operation's reasons for each status, our interpretations in italics. */
export async function readmeWithOutcomes(readme, { contracts, basisOf }) {
  const text = await readFile(readme, 'utf8')
  const [before, rest] = text.split(BEGIN)
  const [, after] = rest.split(END)
  return `${before}${BEGIN}\n${outcomesTable(contracts, basisOf)}\n${END}${after}`
}

function outcomesTable(contracts, basisOf) {
  const statuses = [...new Set(contracts.flatMap(({ reasons = {} }) => Object.keys(reasons)))].sort()
  const rows = contracts.map(({ id, method, path, reasons = {} }) => [
    `\`${id}\`<br>\`${method} ${path.replaceAll(/\{\w+\}/g, '{…}')}\``,
    ...statuses.map((status) => (reasons[status] ?? []).map((one) => reasonText(one, basisOf)).join('; ')),
  ])
  return table(['operation', ...statuses], rows)
}

function reasonText({ why, cites }, basisOf) {
  return basisOf(cites) === 'interpretation' ? `*${why}* (${cites.join(', ')})` : why
}
