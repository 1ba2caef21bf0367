import { InvalidOption } from '../../server/invalid-option.js'
import { InvalidFiles } from '../../text/invalid-files.js'
import { Refusal } from './admin-api.js'

/** Turns a refusal into the error that the handle in process would throw. */
function refusedAs(make: (refusal: Refusal) => Error): <T>(work: () => Promise<T>) => Promise<T> {
  return async (work) => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof Refusal && error.status < 500 ? make(error) : error
    }
  }
}

export const asOption = refusedAs(({ message }) => new InvalidOption(message))
export const asRange = refusedAs(({ message }) => new RangeError(message))

export function asFiles<T>(file: string, work: () => Promise<T>): Promise<T> {
  const asComplaints = ({ message, complaints }: Refusal) =>
    complaints === undefined
      ? new InvalidOption(message)
      : new InvalidFiles(complaints.map(({ path, ...complaint }) => ({ file, path, ...complaint })))
  return refusedAs(asComplaints)(work)
}
