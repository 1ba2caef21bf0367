import { spawnSync } from 'node:child_process'
import { sleep } from '../engine/timers.js'

/** Milliseconds. */
const EXIT_TIMEOUT = 5_000
const POLL_INTERVAL = 50

/** A child and, if it leads a group, its descendants. */
export class ProcessGroup {
  #deadline: NodeJS.Timeout | undefined

  constructor(
    private readonly child: number,
    private readonly isLeader: boolean,
  ) {}

  /** Sends the signal, and kills what is left after EXIT_TIMEOUT. */
  end(signal: NodeJS.Signals): void {
    // The terminal itself sends Ctrl-C to all its processes.
    if (signal !== 'SIGINT' || this.isLeader) this.#send(signal)
    this.#deadline ??= setTimeout(() => {
      this.kill()
      this.#deadline = undefined
    }, EXIT_TIMEOUT)
  }

  kill(): void {
    // On Windows, a signal would end only the child, not its descendants.
    if (process.platform === 'win32') spawnSync('taskkill', ['/pid', `${this.child}`, '/t', '/f'])
    else this.#send('SIGKILL')
  }

  /** Call it when the child has ended: descendants get time to finish after a signal, and are killed otherwise. */
  async cleanUp(): Promise<void> {
    while (this.isLeader && this.#deadline !== undefined && this.#send(0)) await sleep(POLL_INTERVAL)
    clearTimeout(this.#deadline)
    if (this.isLeader) this.#send('SIGKILL')
  }

  /** Returns false if no process is left. */
  #send(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(this.isLeader ? -this.child : this.child, signal)
    } catch {
      return false
    }
  }
}
