import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { folder, launch } from '../binary.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Step {
  readonly id: string
  readonly shell: string
  readonly 'working-directory': string
  readonly env: Readonly<Record<string, string>>
  readonly run: string
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

export const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action

/** The package as npm would publish it, as it is built. */
export function pack(t: Test): string {
  const to = folder(t)
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', to]
  return join(to, execFileSync('npm', args, { cwd: root, encoding: 'utf8', env: offline(to) }).trim())
}

/** Installs a package into a project. */
export function install(project: string, tarball: string): void {
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--silent', tarball]
  execFileSync('npm', args, { cwd: project, env: offline(project) })
}

/** The environment of a machine without network on which nothing is set up. */
function offline(home: string): NodeJS.ProcessEnv {
  const { PATH } = process.env
  return { PATH, HOME: home, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
}

/** What a job sees of the action. */
export interface Job {
  readonly outcome: 'success' | 'failure'
  readonly outputs: Readonly<Record<string, string>>
  readonly log: string
  readonly summary: string
  /** What later steps have on their PATH. */
  readonly path: readonly string[]
}

/** Runs the action's steps one after another, as GitHub's runner does, in a workspace. */
export async function runAction(
  t: Test,
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  checkout = root,
): Promise<Job> {
  const temp = folder(t)
  const given = Object.entries(action.inputs).map(([name, one]) => [name, inputs[name] ?? one.default] as const)
  const values = new Map(given.map(([name, value]) => [`inputs.${name}`, value]))
  const evaluated = (text: string) => text.replace(/\$\{\{ (\S+) \}\}/g, (_, name) => values.get(name) ?? '')
  const path: string[] = []
  let [log, summary, outcome]: [string, string, Job['outcome']] = ['', '', 'success']
  for (const step of action.runs.steps) {
    const at = (name: string) => join(temp, `${step.id}-${name}`)
    const files = { GITHUB_OUTPUT: at('output'), GITHUB_PATH: at('path'), GITHUB_STEP_SUMMARY: at('summary') }
    for (const file of Object.values(files)) writeFileSync(file, '')
    mkdirSync(at('temp'))
    writeFileSync(at('script.sh'), step.run)
    const { env: own, 'working-directory': where } = step
    const env = {
      ...offline(temp),
      PATH: [...path, process.env.PATH].join(delimiter),
      GITHUB_ACTIONS: 'true',
      GITHUB_ACTION_PATH: checkout,
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: at('temp'),
      ...files,
      ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, evaluated(value)])),
    }
    // What `shell: bash` means.
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', at('script.sh')]
    const cwd = join(workspace, evaluated(where))
    const ended = await launch(t, 'bash', words, { cwd, env: env as Record<string, string> }).ended
    log += ended.out + ended.err
    summary += readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8')
    path.unshift(...lines(files.GITHUB_PATH))
    for (const line of lines(files.GITHUB_OUTPUT)) {
      const [, name, value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? []
      values.set(`steps.${step.id}.outputs.${name}`, value)
    }
    if (ended.code !== 0) {
      outcome = 'failure'
      break
    }
  }
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, evaluated(value)])
  return { outcome, outputs: Object.fromEntries(outputs), log, summary, path }
}

function lines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}
