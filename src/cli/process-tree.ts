import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { sleep } from '../engine/timers.js'

/** Milliseconds. */
const EXIT_TIMEOUT = 5_000
const POLL_INTERVAL = 50

const PS = ['-A', '-o', 'pid=,stat=,ppid=,pgid=']
const IS_WINDOWS = process.platform === 'win32'

export class ProcessTree {
  readonly #signalled = new Set<number>()
  #deadline: NodeJS.Timeout | undefined

  constructor(
    private readonly root: number,
    private readonly isGroupLeader: boolean,
  ) {}

  /** Kills processes that do not end in time. */
  end(signal: NodeJS.Signals, isForAll: boolean): void {
    for (const pid of this.#alive()) {
      this.#signalled.add(pid)
      if (isForAll || pid === this.root) send(pid, signal)
    }
    this.#deadline ??= setTimeout(() => {
      this.kill()
      this.#deadline = undefined
    }, EXIT_TIMEOUT)
  }

  kill(): void {
    // On Windows, a signal would end only the script.
    if (IS_WINDOWS) spawnSync('taskkill', ['/pid', `${this.root}`, '/t', '/f'])
    else for (const pid of this.#alive()) send(pid, 'SIGKILL')
  }

  /** Call it when the root has ended: waits for signalled processes, and kills the rest of the group. */
  async cleanUp(): Promise<void> {
    while (!IS_WINDOWS && this.#deadline !== undefined && this.#alive().length > 0) await sleep(POLL_INTERVAL)
    clearTimeout(this.#deadline)
    if (this.isGroupLeader) send(-this.root, 'SIGKILL')
  }

  #alive(): readonly number[] {
    if (IS_WINDOWS) return [this.root]
    const treePids = new Set([this.root, ...this.#signalled])
    const processes = listProcesses()
    for (let count = 0; count < treePids.size; ) {
      count = treePids.size
      for (const [pid, parent, group] of processes)
        if (treePids.has(parent) || (this.isGroupLeader && group === this.root)) treePids.add(pid)
    }
    return processes.map(([pid]) => pid).filter((pid) => treePids.has(pid))
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}

/** Reads /proc on Linux, because slim images have no `ps`. */
function listProcesses(): readonly (readonly [pid: number, parent: number, group: number])[] {
  const lines =
    process.platform === 'linux'
      ? readdirSync('/proc').map(readStat)
      : spawnSync('ps', PS, { encoding: 'utf8' }).stdout.split('\n')
  return lines.flatMap((line) => {
    // `PID (NAME) STATE PARENT GROUP …`; `ps` prints no name.
    const [, pid, parent, group] = /^ *(\d+) (?:\(.*\) )?[^Z ]\S* +(\d+) +(\d+)/s.exec(line) ?? []
    return pid === undefined ? [] : [[Number(pid), Number(parent), Number(group)] as const]
  })
}

function readStat(name: string): string {
  try {
    return /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'utf8') : ''
  } catch {
    // The process has ended.
    return ''
  }
}
