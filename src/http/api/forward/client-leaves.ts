import type { StepContext } from '../step-context.js'

/** Calls back when the client leaves, until the returned function is called. */
export function whenClientLeaves({ reply, request }: StepContext, listener: () => void): () => void {
  // Behind another answer on its connection, this one has no socket of its own that could close.
  const connection = reply.raw.socket === null ? request.raw.socket : reply.raw
  connection.once('close', listener)
  return () => void connection.off('close', listener)
}
