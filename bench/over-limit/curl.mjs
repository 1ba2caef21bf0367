import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** curl, where it is on the PATH: as it is, when it waits for a 100 first, and told not to wait. */
export function curlClients({ file }) {
  if (spawnSync('curl', ['--version']).error !== undefined) return {}
  const form = ['-F', `file=@${file};filename=signature.png`]
  const bytes = ['--data-binary', `@${file}`]
  const atOnce = ['-H', 'Expect:']
  return {
    'curl -F': (call) => send(call, form),
    'curl -F, no Expect': (call) => send(call, [...form, ...atOnce]),
    'curl --data-binary': (call) => send(call, bytes),
    'curl --data-binary, no Expect': (call) => send(call, [...bytes, ...atOnce]),
  }
}

/** Where connections are kept, curl sends twice in one run: the second time over the first one's, if it still stands. */
async function send({ method, url, headers, keepAlive }, more) {
  const fields = { ...headers, ...(!keepAlive && { connection: 'close' }) }
  const { stdout } = await run('curl', [
    ...['-s', '-X', method, '-w', '%{http_code} %{content_type}\n', ...more],
    ...Object.entries(fields).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...Array(keepAlive ? 2 : 1)
      .fill(['-o', '/dev/null', url])
      .flat(),
  ])
  const [first, ...others] = stdout.trim().split('\n')
  if (others.some((other) => other !== first)) return { status: stdout.trim().replaceAll('\n', ', then '), type: '' }
  const [status, ...type] = first.split(' ')
  return { status: Number(status), type: type.join(' ') }
}
