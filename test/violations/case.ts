import { readFileSync } from 'node:fs'
import { fits } from '../fits.js'
import { fixtureFile } from '../helper.js'

export interface Step {
  readonly line: number
  readonly method: string
  readonly path: string
  readonly headers: [name: string, value: string][]
  /** Headers that a mistake does without. */
  readonly unsent: string[]
  readonly fields: [name: string, value: string][]
  data: string | undefined
  status: number
  readonly expected: [name: string, value: string][]
  readonly absent: string[]
  body: string
  /** Of a mistake, the lines of all that is said of it. */
  readonly told: string[]
  /** Of a mistake, the corrected line, without what comes before its path. */
  corrected: string | undefined
}

export interface Case {
  readonly name: string
  readonly steps: Step[]
}

/** What each kind of line does; the first that fits reads it. `cases/README.md` describes the format. */
const request: readonly (readonly [form: RegExp, read: (step: Step, one: string, two: string) => void])[] = [
  [/^< (\d{3})$/, (step, status) => void Object.assign(step, { status: Number(status) })],
  [/^-F ([^=]+)=(.*)$/, (step, name, value) => void step.fields.push([name, value])],
  [/^-d (.*)()$/, (step, data) => void Object.assign(step, { data })],
  [/^([\w-]+): ?(.*)$/, (step, name, value) => void step.headers.push([name, value])],
  [/^! ([\w-]+)()$/, (step, name) => void step.unsent.push(name)],
]
const answer: typeof request = [
  [/^! ([\w-]+)()$/, (step, name) => void step.absent.push(name)],
  [/^([\w-]+): (.*)$/, (step, name, value) => void step.expected.push([name, value])],
  [/^((?:~| ) .*)()$/, (step, told) => void step.told.push(told)],
  [/^\$ (.*)()$/, (step, corrected) => void Object.assign(step, { corrected })],
]

/** Reads the cases of a text, by default that of the file. @throws {Error} naming the line that is none */
export function readCases(file: string, whole = readFileSync(file, 'utf8')): Case[] {
  const cases: Case[] = []
  let step: Step | undefined
  let inBody = false
  for (const [at, text] of whole.split('\n').entries()) {
    const line = at + 1
    const [, name] = /^=== (.+)$/.exec(text) ?? []
    const [, method, path] = /^> ([A-Z]+) (\/\S*)$/.exec(text) ?? []
    if (name !== undefined) {
      cases.push({ name, steps: [] })
      step = undefined
    } else if (method !== undefined && path !== undefined && cases.length > 0) {
      const sent = { line, method, path, headers: [], unsent: [], fields: [], data: undefined }
      step = { ...sent, status: 0, expected: [], absent: [], body: '', told: [], corrected: undefined }
      cases.at(-1)?.steps.push(step)
      inBody = false
    } else if (step !== undefined && inBody) step.body += `${text}\n`
    else if (text === '') inBody = step !== undefined && step.status > 0
    else if (step === undefined && text.startsWith('#')) continue
    else {
      const kinds = step?.status === 0 ? request : answer
      const [form, read] = kinds.find(([form]) => form.test(text)) ?? []
      if (step === undefined || form === undefined) throw new Error(`${file}:${line}: what is '${text}'?`)
      const [, one = '', two = ''] = form.exec(text) ?? []
      read?.(step, one, two)
    }
  }
  return cases
}

export function sendStep({ method, path, headers, fields, data }: Step, world: string): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of fields) {
    const [, file, type] = /^@([^;]+)(?:;type=(.+))?$/.exec(value) ?? []
    if (file === undefined) form.append(name, value)
    else form.append(name, new File([new Uint8Array(fixtureFile(file).content)], file, { type: type ?? '' }))
  }
  const url = path.startsWith('/~') ? new URL(path, world).href : world + path
  const json: [string, string][] = data === undefined ? [] : [['content-type', 'application/json']]
  const body = fields.length > 0 ? form : data
  return fetch(url, { method, headers: [...json, ...headers], redirect: 'manual', body })
}

/** The expected JSON, with what is there in the place of each `*` that allows it; so that a difference shows. */
export function filled(expected: unknown, actual: unknown): unknown {
  if (typeof expected === 'string') {
    if (expected === '*') return actual
    return typeof actual === 'string' && fits(actual, expected) ? actual : expected
  }
  if (typeof expected !== 'object' || expected === null || typeof actual !== 'object' || actual === null)
    return expected
  if (Array.isArray(expected)) {
    const rest = expected.at(-1) === '*' && Array.isArray(actual)
    const items = rest ? expected.slice(0, -1) : expected
    const known = items.map((one, at) => filled(one, (actual as unknown[])[at]))
    return rest ? [...known, ...actual.slice(items.length)] : known
  }
  const { '*': others, ...named } = expected as Record<string, unknown>
  const known = Object.entries(named).map(([key, one]) => [key, filled(one, (actual as Record<string, unknown>)[key])])
  return { ...(others === undefined ? {} : actual), ...Object.fromEntries(known) }
}
