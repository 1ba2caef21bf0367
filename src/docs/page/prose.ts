import { type Html, html } from '../../text/html.js'

/** A sentence of the contracts as markup: `code` set as code, decisions such as I-07 linked to their row. */
export function prose(text: string): readonly Html[] {
  return text
    .split(/(`[^`]+`|\bI-\d\d\b)/)
    .map((piece) =>
      piece.startsWith('`')
        ? html`<code>${piece.slice(1, -1)}</code>`
        : /^I-\d\d$/.test(piece)
          ? html`<a href="#${piece}">${piece}</a>`
          : html`${piece}`,
    )
}
