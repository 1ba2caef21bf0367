import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export function fileOf(name) {
  return fileURLToPath(new URL(`targets/${name}.mjs`, import.meta.url))
}

/** Starts a target in a separate process; it answers the cases with these replies. */
export async function startTarget(name, replies = []) {
  const child = fork(fileOf(name), { env: { ...process.env, REPLIES: JSON.stringify(replies) }, silent: true })
  // Read its output, as a terminal does.
  child.stdout.resume()
  child.stderr.pipe(process.stderr)
  const [{ url }] = await once(child, 'message')
  return {
    name,
    url,
    /** CPU time so far in microseconds, and resident memory in bytes. */
    async usage() {
      child.send('usage')
      const [usage] = await once(child, 'message')
      return usage
    },
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** The answers of countersign to these cases, which other targets repeat. */
export async function repliesTo(cases) {
  const target = await startTarget('countersign')
  const replies = []
  for (const { name, method, path, headers, body, status } of cases) {
    const response = await fetch(target.url + path, { method, headers, body })
    const text = await response.text()
    if (response.status !== status) throw new Error(`${name}: ${response.status} ${text}`)
    const { date, connection, 'keep-alive': _, 'content-length': __, ...kept } = Object.fromEntries(response.headers)
    replies.push({ method, path: path.replace(/\?.*/, ''), status, headers: kept, body: text })
  }
  await target.stop()
  return replies
}
