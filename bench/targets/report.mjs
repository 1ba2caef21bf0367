import { createRequire } from 'node:module'

/** Loads a peer, from the working directory. */
export const load = createRequire(`${process.cwd()}/`)

/** What countersign answers to each case. */
export const replies = JSON.parse(process.env.REPLIES ?? '[]')

/** Tells where the target listens, and a parent its CPU time and memory whenever it asks. */
export function report(url) {
  console.log(url)
  process.send?.({ url })
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system, rss: process.memoryUsage.rss() })
  })
  process.on('disconnect', () => process.exit(0))
}
