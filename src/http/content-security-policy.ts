import { sha256 } from '../text/digest.js'

/** What a page of ours is made of. */
export interface PageParts {
  readonly style: string
  /** Without one, the page runs no script and calls nothing. */
  readonly script?: string
  /** Whether it loads further scripts from this server. */
  readonly loads?: boolean
  /** Whether it has forms, which are sent to this server. */
  readonly forms?: boolean
}

/** Lets a page be no more than what it is made of: its own style and script, by digest, and calls to this server. */
export function contentSecurityPolicy({ style, script, loads = false, forms = false }: PageParts): string {
  return [
    "default-src 'none'",
    `style-src ${digest(style)}`,
    ...(script === undefined ? [] : [`script-src ${digest(script)}${loads ? " 'self'" : ''}`, "connect-src 'self'"]),
    'img-src data:',
    "base-uri 'none'",
    `form-action ${forms ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Lets a page be no more than this server sends: its styles, its script, what they call, and frames of it. */
export function externalPolicy(): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function digest(text: string): string {
  return `'sha256-${sha256(text, 'base64')}'`
}
