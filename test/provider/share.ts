/** Every one of a long list, where `npm run verify:all` asks for it; else every so many of them, always the same ones. */
export function share<T>(all: readonly T[], every: number): readonly T[] {
  return process.env.WHOLE === '1' ? all : all.filter((_, at) => at % every === 0)
}

/** Runs a job for each of some, several at a time. */
export async function forEach<T>(all: readonly T[], job: (one: T) => Promise<void>, atOnce = 4): Promise<void> {
  const queue = [...all]
  const worker = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await job(one)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}
