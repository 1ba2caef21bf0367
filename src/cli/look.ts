import type { Contract } from '../../schemas/contract.js'
import type { Readings } from '../../schemas/readings.js'
import { type Target, waitUntilUp } from '../provider/client.js'
import { TokenRefused, type Verification, verifyProvider } from '../provider/verify.js'
import { InvalidOption } from '../server/invalid-option.js'
import type { Io } from './command.js'
import type { OwnFlags } from './command-line.js'
import { chosenOf, readData, readWait } from './target-flags.js'

/** Looks at a provider, when it is up. @throws {InvalidOption} for a token that is not accepted */
export type Look = () => Promise<Verification>

/**
 * Reads how a command is to look at a provider; nothing is sent before it looks.
 * @throws {InvalidOption} for flags that do not fit
 * @throws {InvalidFiles} for a data file that cannot be used
 */
export async function readLook(
  target: Target,
  own: OwnFlags,
  io: Io,
  readings: Readings,
  contracts: readonly Contract[],
): Promise<Look> {
  const chosen = chosenOf(own, contracts)
  const wait = readWait(own)
  const data = await readData(own, io, contracts)
  const allowWrites = own['allow-writes'] === true
  return async () => {
    await waitUntilUp(target, wait)
    const stopped = allowWrites ? io.stopped : undefined
    try {
      return await verifyProvider(readings, chosen, target, { data, allowWrites, stopped })
    } catch (error) {
      if (error instanceof TokenRefused) throw new InvalidOption(error.message)
      throw error
    }
  }
}
