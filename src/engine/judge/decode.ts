export function safeDecodeURIComponent(part: string, fallback = part): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return fallback
  }
}

export function readableUrl(url: string, omitted: readonly string[]): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const pairs = query.split('&').filter((pair) => pair !== '' && !omitted.includes(pair))
  const decoded = pairs.map((pair) => safeDecodeURIComponent(pair.replaceAll('+', ' ')))
  return decoded.length === 0 ? path : `${path}?${decoded.join('&')}`
}

/** Splits a path value that contains a query, such as `101%3Fpage=1` or `101&page=1`; undefined without a query. */
export function splitQueryInPath(value: string) {
  const [path = '', separator = '', search] = value.split(/(\?|%3F|&)(.*)/is)
  if (search === undefined || !/^(?:[^=&]+=|$)/.test(search)) return undefined
  const query: Readonly<Record<string, string>> = Object.fromEntries(new URLSearchParams(search))
  return { path, query, isAfterAmpersand: separator === '&' }
}
