export function safeDecodeURIComponent(part: string, fallback = part): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return fallback
  }
}

/** Omits the pairs `omitted`, unless a violation is about one. */
export function readableUrl(url: string, omitted: readonly string[], violations: readonly { where: string }[]): string {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  const isShown = (pair: string) => violations.some(({ where }) => `query.${pair}`.startsWith(`${where}=`))
  const pairs = query.split('&').filter((pair) => pair !== '' && (!omitted.includes(pair) || isShown(pair)))
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
