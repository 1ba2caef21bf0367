import { escapeUTF8 } from 'entities'

/** A template tag that escapes its values, except those of type `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html | readonly Html[])[]) {
  return new Html(String.raw({ raw: parts }, ...values.map(render)))
}

export class Html {
  constructor(readonly text: string) {}
}

function render(value: string | number | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text
  return Array.isArray(value) ? value.map(render).join('') : escapeUTF8(String(value))
}
