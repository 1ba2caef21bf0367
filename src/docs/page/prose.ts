import { type Markup, markup } from '../../text/html.js'

/** A sentence of the contracts as markup: `code` set as code, decisions such as I-07 linked to their row. */
export function prose(text: string): readonly Markup[] {
  return text
    .split(/(`[^`]+`|\bI-\d\d\b)/)
    .map((piece) =>
      piece.startsWith('`')
        ? markup`<code>${piece.slice(1, -1)}</code>`
        : /^I-\d\d$/.test(piece)
          ? markup`<a href="#${piece}">${piece}</a>`
          : markup`${piece}`,
    )
}
