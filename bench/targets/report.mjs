import { createRequire } from 'node:module'

/** Loads a peer's package from the working directory. */
export const load = createRequire(`${process.cwd()}/`)

/** The answers of countersign to each case. */
export const replies = JSON.parse(process.env.REPLIES ?? '[]')

/** Reports the target's URL, and answers each message of the parent process with CPU time and memory. */
export function report(url) {
  console.log(url)
  process.send?.({ url })
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system, rss: process.memoryUsage.rss() })
  })
  process.on('disconnect', () => process.exit(0))
}
