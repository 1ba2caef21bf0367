export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function spread(values) {
  return `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`
}

/** A Markdown table of rows with the same keys. */
export function table(rows) {
  const names = Object.keys(rows[0])
  return [
    `| ${names.join(' | ')} |`,
    `|${names.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${Object.values(row).join(' | ')} |`),
  ].join('\n')
}
