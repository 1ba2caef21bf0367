import { type Html, html } from '../../text/html.js'

const CITE = /^(?:I-\d\d|S[0-9A-Z]\.\d+)$/

/** A sentence of the contracts as markup: `code` set as code, statements and decisions linked to their row. */
export function prose(text: string): readonly Html[] {
  return text
    .split(/(`[^`]+`|\b(?:I-\d\d|S[0-9A-Z]\.\d+)\b)/)
    .map((piece) =>
      piece.startsWith('`')
        ? html`<code>${piece.slice(1, -1)}</code>`
        : CITE.test(piece)
          ? html`<a href="#${piece}">${piece}</a>`
          : html`${piece}`,
    )
}
