/** A Markdown table. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

export function page(...parts) {
  const generated = "<!-- Written by 'npm run generate': edit the sources instead. -->"
  const [title, ...others] = parts
  return `${[title, generated, ...others].map((part) => part.trim()).join('\n\n')}\n`
}

/** A fenced code block. */
export function code(language, text) {
  return `\`\`\`${language}\n${text.trim()}\n\`\`\``
}

/** Help text of the terminal as Markdown: flags, variables and quoted words become code. */
export function asMarkdown(text) {
  return text
    .replace(/(?<![\w`'-])'([^']+)'(?!\w)/g, '`$1`')
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replace(/(?<![\w-])(--[a-z][a-z-]*( [A-Z]{3,})?|COUNTERSIGN_\w+)/g, '`$1`'),
    )
    .join('')
}
