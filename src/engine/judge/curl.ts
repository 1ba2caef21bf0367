export type CurlValue = string | { readonly path: string; readonly type: string | undefined }

export interface CurlCall {
  readonly method: string
  readonly url: string
  /** The whole header, quoted for the shell. */
  readonly token: string | undefined
  readonly form: readonly (readonly [name: string, value: CurlValue])[]
}

export function curl({ method, url, token, form }: CurlCall, separator = ' \\\n  '): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuote(url)}`,
    ...(token === undefined ? [] : [`-H ${token}`]),
    ...form.map(([name, value]) => formOption(name, value)),
  ].join(separator)
}

/** Values with characters that curl's `-F` interprets or strips. */
const SPECIAL = /^[@<"(\s]|;|\s$/

/** curl splits at the first `=`, so an `=` in a name is escaped, as in browsers. */
export function formOption(fieldName: string, value: CurlValue, quote = shellQuote): string {
  const name = fieldName.replaceAll('=', '%3D')
  if (typeof value === 'string') return `${SPECIAL.test(value) ? '--form-string' : '-F'} ${quote(`${name}=${value}`)}`
  // curl reads `-` as standard input.
  const path = value.path === '-' ? './-' : value.path
  const quoted = /[",;]|^\s|\s$/.test(path) ? `"${path.replaceAll(/["\\]/g, '\\$&')}"` : path
  const type = MEDIA_TYPE.test(value.type ?? '') ? `;type=${value.type}` : ''
  return `-F ${quote(`${name}=@${quoted}${type}`)}`
}

/** Forms escape quotation marks in file names. */
export function nameOnDisk(filename: string): string {
  return filename.replaceAll('%22', '"')
}

/** Without a comma, behind which curl expects another file name. */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/

export function shellQuote(text: string): string {
  return `'${printControls(text.replaceAll("'", "'\\''"), `'"`, `"'`)}'`
}

/** Replaces control characters, which could steer a terminal, with `$(printf …)`, outside of the quotes around it. */
export function printControls(quoted: string, close = '', reopen = ''): string {
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`
  return quoted.replaceAll(
    /[\0-\x08\x0b-\x1f\x7f-\x9f]+/g,
    (characters) => `${close}$(printf '${Array.from(Buffer.from(characters), octal).join('')}')${reopen}`,
  )
}

export function queryString(parameters: readonly (readonly [name: string, value: string])[]): string {
  const pairs = parameters.map((parameter) => parameter.map(encodeURIComponent).join('='))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
