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

/** The environment of a machine without network on which nothing is set up. */
function offline(home: string): NodeJS.ProcessEnv {
  const { PATH } = process.env
  return { PATH, HOME: home, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
}

interface Job {
  readonly outcome: 'success' | 'failure'
  readonly outputs: Words
  readonly log: string
  readonly summary: string
  /** What later steps have on their PATH. */
  readonly path: readonly string[]
}

export async function runAction(t: Test, workspace: string, inputs: Words, checkout = root): Promise<Job> {
  const given = Object.entries(action.inputs).map(([name, one]) => [`inputs.${name}`, inputs[name] ?? one.default])
  const values = new Map(given as [string, string][])
  const job = await runSteps(t, workspace, action.runs.steps, { GITHUB_ACTION_PATH: checkout }, values)
  const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, evaluated(value, values)])
  return { ...job, outputs: Object.fromEntries(outputs) }
}

function evaluated(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{\{ (\S+) \}\}/g, (_, name) => values.get(name) ?? '')
}

/** Runs steps one after another, as GitHub's runner does, in a workspace; their outputs become values. */
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
  for (const { id, run, env: own = {}, 'working-directory': where = '.' } of steps) {
    const place = mkdtempSync(join(temp, 'step-'))
    const at = (name: string) => join(place, name)
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
      ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, evaluated(value, values)])),
    }
    // What `shell: bash` means.
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', at('script.sh')]
    const cwd = join(workspace, evaluated(where, values))
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
