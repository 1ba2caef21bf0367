/** Decodes a part of a URL; returns `otherwise` for invalid escapes. */
export function safeDecodeURIComponent(part: string, otherwise = part): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return otherwise
  }
}

/** A URL as people read it: its query decoded, without a pair that nearly every call has. */
export function readableUrl(url: string, omitted: string): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const pairs = query.split('&').filter((pair) => pair !== '' && pair !== omitted)
  const decoded = pairs.map((pair) => safeDecodeURIComponent(pair.replaceAll('+', ' ')))
  return decoded.length === 0 ? path : `${path}?${decoded.join('&')}`
}
