const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text made safe inside HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string)
}

/** A template that escapes its values, except markup. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)))
}

/** Text that is markup already, and is taken as it is. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text
  }
}

function render(value: string | number | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text
  return Array.isArray(value) ? value.join('') : escapeHtml(String(value))
}
