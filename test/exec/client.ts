import type { Test } from 'tap'
import type { LaunchOptions } from '../binary.js'
import { run } from '../command-line.js'

export interface Call {
  readonly path: string
  readonly method?: string
  /** `authorization: null` omits the header. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly form?: Readonly<Record<string, string>>
  readonly text?: string
}

export function withClient(args: readonly string[], sent: readonly Call[]): string[] {
  return ['exec', ...args, '--', 'sh', '-c', [...sent.map(curlLine), 'true'].join('\n')]
}

function curlLine({ path, method = 'GET', headers, form = {}, text }: Call): string {
  const { pathname, search } = new URL(path, 'http://any')
  const { authorization, ...others } = headers ?? {}
  const otherHeaders = text === undefined ? others : { 'content-type': 'text/plain', ...others }
  return [
    `curl -sgo /dev/null -X ${method} "$COUNTERSIGN_URL"${quoted(pathname + search)}`,
    authorization === undefined && '-H "authorization: Bearer $COUNTERSIGN_TOKEN"',
    authorization && `-H ${quoted(`authorization: ${authorization}`)}`,
    ...Object.entries(otherHeaders).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...Object.entries(form).map(([name, value]) => `--form-string ${quoted(`${name}=${value}`)}`),
    text !== undefined && `--data-binary ${quoted(text)}`,
  ]
    .filter(Boolean)
    .join(' ')
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/** Runs exec in this process. Its child shares the tests' standard output, so it must print nothing. */
export const runExec = (t: Test, args: readonly string[], sent: readonly Call[], place?: LaunchOptions) =>
  run(t, withClient(args, sent), place)

export const node = (script: string) => ['--', process.execPath, '-e', script]
