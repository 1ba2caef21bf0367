/** Decodes a part of a URL; returns `otherwise` for invalid escapes. */
export function safeDecodeURIComponent(part: string, otherwise = part): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return otherwise
  }
}

/** A URL as people read it: its query decoded, without pairs that nearly every call has. */
export function readableUrl(url: string, omitted: readonly string[]): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const pairs = query.split('&').filter((pair) => pair !== '' && !omitted.includes(pair))
  const decoded = pairs.map((pair) => safeDecodeURIComponent(pair.replaceAll('+', ' ')))
  return decoded.length === 0 ? path : `${path}?${decoded.join('&')}`
}

/** A value of a path with the query that was escaped into it, as in `101%3Fpage=1`; undefined without one. */
export function escapedQueryIn(value: string) {
  const [path = '', search = ''] = value.split(/\?(.*)/s)
  if (!/^[^=&]+=/.test(search)) return undefined
  const query: Readonly<Record<string, string>> = Object.fromEntries(new URLSearchParams(search))
  return { path, query }
}

/** The pair of a query with this name, as it was sent, if a plus in it is not escaped. */
export function plusIn(url: string, name: string): string | undefined {
  return url.split(/[?&]/).find((pair) => pair.startsWith(`${name}=`) && pair.includes('+'))
}
