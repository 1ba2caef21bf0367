import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

const LONG = '.long.test.ts'

/** The test files whose path holds one of the names, or all; of those that take long, only where `long` or a name asks. */
export function selectFiles({ names, long }) {
  const files = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.test.ts'))
    .sort()
  const [slow, quick] = [files.filter((file) => file.endsWith(LONG)), files.filter((file) => !file.endsWith(LONG))]
  const wanted = names.length === 0 ? [''] : names
  const found = wanted.flatMap((name) => {
    const named = (list) => list.filter((file) => file.includes(name))
    return long || named(quick).length === 0 ? named(slow) : named(quick)
  })
  return [...new Set(found)]
}

/** A subject is a folder of test/ or a file that stands there alone, and runs in a process; what takes long in its own. */
export function subjectsOf(files) {
  const subjects = new Map()
  for (const file of files) {
    const [, first] = file.split('/')
    const name = file.endsWith(LONG) ? file.slice('test/'.length, -'.test.ts'.length) : first.replace(/\.test\.ts$/, '')
    const known = subjects.get(name)
    if (known === undefined) subjects.set(name, { name, files: [file] })
    else known.files.push(file)
  }
  return [...subjects.values()]
}

/** What differs from the last commit, and what is new. */
export function changedFiles() {
  const lines = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  return new Set([...lines('diff', '--name-only', 'HEAD'), ...lines('ls-files', '--others', '--exclude-standard')])
}

export function shuffled(list) {
  return list
    .map((one) => [Math.random(), one])
    .sort(([left], [right]) => left - right)
    .map(([, one]) => one)
}
