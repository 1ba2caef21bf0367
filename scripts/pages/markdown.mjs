/** A table with these columns. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** A page of these parts, of which those that are undefined are left out. */
export function page(...parts) {
  const generated = "<!-- Written by 'npm run generate': edit the sources instead. -->"
  const [title, ...others] = parts.filter((part) => part !== undefined)
  return `${[title, generated, ...others].map((part) => part.trim()).join('\n\n')}\n`
}

/** Lines in a frame of their own. */
export function code(language, text) {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``
}

/** A text of the terminal, with flags, variables and what is quoted as code. */
export function asMarkdown(text) {
  return text
    .replace(/(?<![\w`'-])'([^']+)'(?!\w)/g, '`$1`')
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replace(/(?<![\w-])(--[a-z][a-z-]*( [A-Z]{3,})?|COUNTERSIGN_\w+)/g, '`$1`'),
    )
    .join('')
}
