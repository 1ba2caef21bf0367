import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A copy of the tree, what is not committed included, in which files are altered; it goes when the process ends. */
export function scratchCopy(root) {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-mutation-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const [tree, temporary] = [join(folder, 'tree'), join(folder, 'tmp')]
  mkdirSync(temporary)
  for (const name of filesOf(root)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true })
    cpSync(join(root, name), join(tree, name))
  }
  symlinkSync(realpathSync(join(root, 'node_modules')), join(tree, 'node_modules'))
  return {
    write: (file, text) => writeFileSync(join(tree, file), text),
    /** Runs a command there: `passed`, `failed`, or `late` when it has to be broken off; with what it printed. */
    run: (step) => run(step, tree, temporary),
  }
}

function filesOf(root) {
  const list = (...kinds) => {
    const text = execFileSync('git', ['ls-files', '-z', ...kinds], { cwd: root, encoding: 'utf8' })
    return text.split('\0').filter((name) => name !== '')
  }
  const gone = new Set(list('--deleted'))
  return list('--cached', '--others', '--exclude-standard').filter((name) => !gone.has(name))
}

function run({ command: [program, ...args], environment, limit }, cwd, temporary) {
  return new Promise((resolve, reject) => {
    // In a group of its own, so that all it has started ends with it; what tests leave behind goes with the copy.
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...environment, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    let late = false
    const timer = setTimeout(() => {
      late = true
      endGroup(child.pid)
    }, limit)
    child.once('error', reject)
    child.once('exit', (code) => {
      clearTimeout(timer)
      endGroup(child.pid)
      resolve({ result: late ? 'late' : code === 0 ? 'passed' : 'failed', output })
    })
  })
}

function endGroup(group) {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // All of it has ended.
  }
}
