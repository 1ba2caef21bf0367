/** Tells the parent where the target listens, and its CPU time and memory whenever asked. */
export function report(url) {
  process.send({ url })
  process.on('message', () => {
    globalThis.gc?.()
    const { user, system } = process.cpuUsage()
    process.send({ cpu: user + system, ...process.memoryUsage() })
  })
  process.on('disconnect', () => process.exit(0))
}
