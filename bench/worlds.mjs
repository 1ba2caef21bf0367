import { startMockServer } from '../dist/index.js'

const TIMES = 1_000

/** Microseconds to make a sandbox, and to reset it. */
export async function worlds() {
  const mock = await startMockServer({ port: 0 })
  const names = Array.from({ length: TIMES }, (_, at) => `bench-${at}`)
  const sandboxes = []
  const made = timed(() => {
    for (const name of names) sandboxes.push(mock.sandbox(name))
  })
  const reset = timed(() => {
    for (const sandbox of sandboxes) sandbox.reset()
  })
  await mock.close()
  return [
    { what: 'make a sandbox', µs: made },
    { what: 'reset it', µs: reset },
  ]
}

function timed(work) {
  const began = performance.now()
  work()
  return (((performance.now() - began) * 1_000) / TIMES).toFixed(1)
}
