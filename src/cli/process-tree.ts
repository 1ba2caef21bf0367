import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { sleep } from '../engine/timers.js'

/** Milliseconds in which a process may tidy up after a signal, and between two looks at it. */
const PATIENCE = 5_000
const PAUSE = 50

const IS_WINDOWS = process.platform === 'win32'

export class ProcessTree {
  /** Those that were signalled; their parent may be gone. */
  readonly #signalled = new Set<number>()
  #deadline: NodeJS.Timeout | undefined

  /** `grouped`: the child leads a group of its own. */
  constructor(
    private readonly root: number,
    private readonly grouped: boolean,
  ) {}

  /** Asks all of them, or the child alone, to end; kills those that have not ended in time. */
  end(signal: NodeJS.Signals, isForAll: boolean): void {
    for (const pid of this.#alive()) {
      this.#signalled.add(pid)
      if (isForAll || pid === this.root) send(pid, signal)
    }
    this.#deadline ??= setTimeout(() => {
      this.kill()
      this.#deadline = undefined
    }, PATIENCE)
  }

  kill(): void {
    // A signal ends the script alone on Windows, and not what it has started.
    if (IS_WINDOWS) spawnSync('taskkill', ['/pid', `${this.root}`, '/t', '/f'])
    else for (const pid of this.#alive()) send(pid, 'SIGKILL')
  }

  /** Once the child has ended: waits for what was signalled, and kills what else is left of its group. */
  async ended(): Promise<void> {
    while (!IS_WINDOWS && this.#deadline !== undefined && this.#alive().length > 0) await sleep(PAUSE)
    clearTimeout(this.#deadline)
    if (this.grouped) send(-this.root, 'SIGKILL')
  }

  #alive(): readonly number[] {
    if (IS_WINDOWS) return [this.root]
    const own = new Set([this.root, ...this.#signalled])
    const all = allProcesses()
    // A parent may be listed after its child.
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
  } catch {
    // It has ended already.
  }
}

/** All processes of this machine that have not ended. Slim images have no `ps`. */
function allProcesses(): readonly (readonly [pid: number, parent: number, group: number])[] {
  const lines = process.platform === 'linux' ? readdirSync('/proc').map(statOf) : psLines()
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
    // It has ended in the meantime.
    return ''
  }
}

function psLines(): readonly string[] {
  return spawnSync('ps', ['-A', '-o', 'pid=,stat=,ppid=,pgid='], { encoding: 'utf8' }).stdout.split('\n')
}
