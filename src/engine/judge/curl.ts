/** The value of a form field: text, or a file by its path. */
export type CurlValue = string | { readonly path: string; readonly type: string | undefined }

/** A call as curl makes it. */
export interface CurlCall {
  readonly method: string
  readonly url: string
  /** The header with the token, quoted for a shell; undefined without one. */
  readonly token: string | undefined
  readonly form: readonly (readonly [name: string, value: CurlValue])[]
}

/** A call to paste into a shell; its parts stand on lines of their own, or as `separator` says. */
export function curl({ method, url, token, form }: CurlCall, separator = ' \\\n  '): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuote(url)}`,
    ...(token === undefined ? [] : [`-H ${token}`]),
    ...form.map(([name, value]) => formField(name, value)),
  ].join(separator)
}

/** Characters that curl's `-F` takes for a file, a nested form or a type, or strips. */
const SPECIAL = /^[@<"(\s]|;|\s$/

/**
 * A field of a form as an option of curl, which reads no other file than the one that is shown; `quote` quotes it for
 * a shell. curl takes what stands behind the first `=` for the value, so one in the name is written as browsers would.
 */
export function formField(fieldName: string, value: CurlValue, quote = shellQuote): string {
  const name = fieldName.replaceAll('=', '%3D')
  if (typeof value === 'string') return `${SPECIAL.test(value) ? '--form-string' : '-F'} ${quote(`${name}=${value}`)}`
  // A lone `-` is standard input.
  const path = value.path === '-' ? './-' : value.path
  const quoted = /[",;]|^\s|\s$/.test(path) ? `"${path.replaceAll(/["\\]/g, '\\$&')}"` : path
  const type = MEDIA_TYPE.test(value.type ?? '') ? `;type=${value.type}` : ''
  return `-F ${quote(`${name}=@${quoted}${type}`)}`
}

/** Behind a comma, curl would look for another file. */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/

/** A text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

export function queryString(given: readonly (readonly [name: string, value: string])[]): string {
  const pairs = given.map((pair) => pair.map(encodeURIComponent).join('='))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
