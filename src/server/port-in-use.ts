import { InvalidOption } from './invalid-option.js'

/** Thrown if another program already listens on the port. */
export class PortInUse extends InvalidOption {
  override readonly name = 'PortInUse'
  readonly code = 'EADDRINUSE'
  readonly port: number
  readonly host: string
  /** The next free port on that host; undefined if none of the next 100 is free. */
  readonly free: number | undefined

  constructor(port: number, host: string, free: number | undefined) {
    const next = free === undefined ? '' : `; ${free} is free`
    const remedy =
      free === undefined ? 'use --port 0 for any free one' : `use --port ${free}, or --port 0 for any free one`
    super(`Port ${port} on ${host} is already in use${next}: ${remedy}.`)
    this.port = port
    this.host = host
    this.free = free
  }
}
