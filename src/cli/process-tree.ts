import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { sleep } from '../engine/timers.js'

/** Milliseconds between a signal and the kill, and between two looks. */
const EXIT_TIMEOUT = 5_000
const PAUSE = 50

const PS = ['-A', '-o', 'pid=,stat=,ppid=,pgid=']
const IS_WINDOWS = process.platform === 'win32'

export class ProcessTree {
  readonly #signalled = new Set<number>()
  #deadline: NodeJS.Timeout | undefined

  /** `grouped`: the child leads a group. */
  constructor(
    private readonly root: number,
    private readonly grouped: boolean,
  ) {}

  /** Kills what has not ended in time. */
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
    // On Windows, a signal ends only the script.
    if (IS_WINDOWS) spawnSync('taskkill', ['/pid', `${this.root}`, '/t', '/f'])
    else for (const pid of this.#alive()) send(pid, 'SIGKILL')
  }

  /** Call it when the root has ended: waits for signalled processes, kills the rest of the group. */
  async ended(): Promise<void> {
    while (!IS_WINDOWS && this.#deadline !== undefined && this.#alive().length > 0) await sleep(PAUSE)
    clearTimeout(this.#deadline)
    if (this.grouped) send(-this.root, 'SIGKILL')
  }

  #alive(): readonly number[] {
    if (IS_WINDOWS) return [this.root]
    const own = new Set([this.root, ...this.#signalled])
    const all = allProcesses()
    for (let before = 0; before < own.size; ) {
      before = own.size
      for (const [pid, parent, group] of all) if (own.has(parent) || (this.grouped && group === this.root)) own.add(pid)
    }
    return all.map(([pid]) => pid).filter((pid) => own.has(pid))
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {}
}

/** Slim images have no `ps`. */
function allProcesses(): readonly (readonly [pid: number, parent: number, group: number])[] {
  const lines =
    process.platform === 'linux'
      ? readdirSync('/proc').map(statOf)
      : spawnSync('ps', PS, { encoding: 'utf8' }).stdout.split('\n')
  return lines.flatMap((line) => {
    // `PID (NAME) STATE PARENT GROUP …`; ps knows no name.
    const [, pid, parent, group] = /^ *(\d+) (?:\(.*\) )?[^Z ]\S* +(\d+) +(\d+)/s.exec(line) ?? []
    return pid === undefined ? [] : [[Number(pid), Number(parent), Number(group)] as const]
  })
}

function statOf(name: string): string {
  try {
    return /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'utf8') : ''
  } catch {
    // It has ended.
    return ''
  }
}
