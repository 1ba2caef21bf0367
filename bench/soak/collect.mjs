// Loaded into the server beside its own code: collects garbage whenever the parent asks, and says when it is done.
// Without that, resident memory shows when V8 last felt like it, which may be minutes ago in a server that is idle.
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds until memory that a collection has freed is given back: V8 and the allocator do so in threads. */
const TO_GIVE_BACK = 200

process.on('message', async () => {
  // The second one frees what finalizers of the first have let go.
  for (let time = 0; time < 2; time++) {
    globalThis.gc()
    await sleep(TO_GIVE_BACK)
  }
  process.send(process.memoryUsage())
})
// A server that closes does not wait for its parent.
process.channel.unref()
