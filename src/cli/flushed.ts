import type { Writable } from 'node:stream'

/** Resolves once all that was written to the streams has left this process, or is lost since nobody reads it. */
export async function flushed(streams: readonly Writable[]): Promise<void> {
  await Promise.all(streams.map((stream) => new Promise<void>((done) => stream.write('', () => done()))))
}
