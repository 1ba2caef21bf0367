import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { folder, launch } from '../binary.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export type Words = Readonly<Record<string, string>>

interface Step {
  readonly id?: string
  readonly run: string
  readonly env?: Words
  readonly 'working-directory'?: string
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly steps: readonly (Step & Record<'id' | 'shell', string>)[] }
}

export const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action

export function installed(t: Test): string {
  const project = folder(t, { 'package.json': '{}' })
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', project]
  const tarball = execFileSync('npm', pack, { cwd: root, encoding: 'utf8', env: offline(project) }).trim()
  const install = ['install', '--no-save', '--no-audit', '--no-fund', '--silent', join(project, tarball)]
  execFileSync('npm', install, { cwd: project, env: offline(project) })
  return project
}

export function copyOf(t: Test, project: string, files: Words): string {
  const path = folder(t, files)
  cpSync(join(project, 'node_modules'), join(path, 'node_modules'), { recursive: true, verbatimSymlinks: true })
  return path
}

/** The environment of a new machine without network. */
function offline(home: string): NodeJS.ProcessEnv {
  const { PATH } = process.env
  return { PATH, HOME: home, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
}

interface Job {
  readonly outcome: 'success' | 'failure'
  readonly outputs: Words
  readonly log: string
  readonly summary: string
  /** Folders that the steps add to the PATH of later steps. */
  readonly path: readonly string[]
}

export async function runAction(t: Test, workspace: string, inputs: Words, checkout = root): Promise<Job> {
  const entries = Object.entries(action.inputs).map(([name, one]) => [`inputs.${name}`, inputs[name] ?? one.default])
  const values = new Map(entries as [string, string][])
  const job = await runSteps(t, workspace, action.runs.steps, { GITHUB_ACTION_PATH: checkout }, values)
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, evaluate(value, values)])
  return { ...job, outputs: Object.fromEntries(outputs) }
}

function evaluate(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{\{ (\S+) \}\}/g, (_, name) => values.get(name) ?? '')
}

/** Runs steps in order in a workspace, as GitHub's runner does; their outputs become values. */
export async function runSteps(
  t: Test,
  workspace: string,
  steps: readonly Step[],
  env: Words,
  values = new Map<string, string>(),
): Promise<Omit<Job, 'outputs'>> {
  const temp = folder(t)
  const path: string[] = []
  let [log, summary, outcome]: [string, string, Job['outcome']] = ['', '', 'success']
  for (const { id, run, env: stepEnv = {}, 'working-directory': directory = '.' } of steps) {
    const stepFolder = mkdtempSync(join(temp, 'step-'))
    const at = (name: string) => join(stepFolder, name)
    const files = { GITHUB_OUTPUT: at('output'), GITHUB_PATH: at('path'), GITHUB_STEP_SUMMARY: at('summary') }
    for (const file of Object.values(files)) writeFileSync(file, '')
    mkdirSync(at('temp'))
    writeFileSync(at('script.sh'), run)
    const variables = {
      ...offline(temp),
      PATH: [...path, process.env.PATH].join(delimiter),
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: at('temp'),
      ...files,
      ...env,
      ...Object.fromEntries(Object.entries(stepEnv).map(([name, value]) => [name, evaluate(value, values)])),
    }
    // The arguments of `shell: bash`.
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', at('script.sh')]
    const cwd = join(workspace, evaluate(directory, values))
    const ended = await launch(t, 'bash', words, { cwd, env: variables as Words }).ended
    log += ended.out + ended.err
    summary += readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8')
    path.unshift(...lines(files.GITHUB_PATH))
    for (const line of lines(files.GITHUB_OUTPUT)) {
      const [, name, value = ''] = /^([\w-]+)=(.*)$/.exec(line) ?? []
      values.set(`steps.${id}.outputs.${name}`, value)
    }
    if (ended.code !== 0) {
      outcome = 'failure'
      break
    }
  }
  return { outcome, log, summary, path }
}

function lines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}
