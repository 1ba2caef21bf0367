import { escapeHtml } from './html.js'

/** They would end a table's row, or hide what follows. */
export const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

/** A text as markdown shows it: on one line, with nothing in it that is markup. */
export function escapeMarkdown(text: string): string {
  return escapeHtml(text.replace(CONTROL_CHARACTERS, ' ')).replace(/[|`*_[\]]/g, '\\$&')
}
