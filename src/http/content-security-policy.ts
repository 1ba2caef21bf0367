/**
 * Lets a page be no more than this server sends: its styles, its script, what they call, and frames of it. RapiDoc
 * writes styles into its elements.
 */
export function externalPolicy({ inlineStyles = false } = {}): string {
  return [
    "default-src 'none'",
    `style-src 'self'${inlineStyles ? " 'unsafe-inline'" : ''}`,
    "script-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
