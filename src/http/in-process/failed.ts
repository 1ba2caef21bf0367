/** How `fetch` says that the connection failed. */
export function failed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause })
}
