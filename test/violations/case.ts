import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Step {
  readonly line: number
  readonly method: string
  readonly path: string
  readonly headers: [name: string, value: string][]
  readonly unsent: string[]
  readonly fields: [name: string, value: string][]
  data: string | undefined
  status: number
  readonly expected: [name: string, value: string][]
  readonly absent: string[]
  body: string
  readonly reported: string[]
  corrected: string | undefined
}

export interface Case {
  readonly name: string
  readonly steps: Step[]
}

const ORGANIZATION = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const SUB = '6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60'
const PROJECT = 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'

const MEMBER: readonly [name: string, value: string][] = [
  ['data[0][email]', 'ada@example.test'],
  ['data[0][first_name]', 'Ada'],
  ['data[0][last_name]', 'Lovelace'],
  ['data[0][role]', 'Member'],
  ['data[0][organization_id]', '1'],
]

/** What stands in braces: records of the default fixtures, and each operation's URL, with `?` its path alone. */
const words: Readonly<Record<string, string>> = {
  files: fileURLToPath(new URL('../../fixtures/files', import.meta.url)),
  member: MEMBER.map(([name, value]) => `-F '${name}=${value}'`).join(' '),
  organization: ORGANIZATION,
  sub: SUB,
  project: PROJECT,
  user: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31',
  upload: '/client/signature?user_type=ENTERPRISE_API',
  update: `/api/v2/sub-organizations/${SUB}/members/101?user_type=ENTERPRISE_API`,
  verify: '/api/v2/verifications/document/verify?user_type=ENTERPRISE_API',
  search: '/api/v2/projects/protect?user_type=ENTERPRISE_API&keyword%5Bsample_1%5D=contract',
  credits: `/api/v2/credits/histories?page=1&per_page=5&organization_uuid=${ORGANIZATION}`,
  add: '/api/v2/organization/members/add?user_type=ENTERPRISE_API',
  link: `/api/v2/projects/${PROJECT}/link?email=ada%40example.test`,
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
  [/^((?:~| ) .*)()$/, (step, reported) => void step.reported.push(reported)],
  [/^\$ (.*)()$/, (step, corrected) => void Object.assign(step, { corrected })],
]

/** Reads the cases of a file. @throws {Error} naming the line that is none */
export function readCases(file: string): Case[] {
  const cases: Case[] = []
  let step: Step | undefined
  let inBody = false
  for (const [at, written] of readFileSync(file, 'utf8').split('\n').entries()) {
    const line = at + 1
    const text = spelled(written)
    const [, name] = /^=== (.+)$/.exec(text) ?? []
    const [, method, path] = /^> ([A-Z]+) (\/\S*)$/.exec(text) ?? []
    if (name !== undefined) {
      cases.push({ name, steps: [] })
      step = undefined
    } else if (method !== undefined && path !== undefined && cases.length > 0) {
      const sent = { line, method, path, headers: [], unsent: [], fields: [], data: undefined }
      step = { ...sent, status: 0, expected: [], absent: [], body: '', reported: [], corrected: undefined }
      cases.at(-1)?.steps.push(step)
      inBody = false
    } else if (written === '{member}') {
      const given = new Set(step?.fields.map(([name]) => name))
      step?.fields.push(...MEMBER.filter(([name]) => !given.has(name)))
    } else if (step !== undefined && (inBody || (step.status > 0 && /^[{[]/.test(text)))) {
      step.body += `${text}\n`
      inBody = true
    } else if (text === '') inBody = step !== undefined && step.status > 0
    else if (step === undefined && text.startsWith('#')) continue
    else {
      const kinds = step?.status === 0 ? request : answer
      const [form, read] = kinds.find(([form]) => form.test(text)) ?? []
      if (step === undefined || form === undefined) throw new Error(`${file}:${line}: what is '${text}'?`)
      const [, one = '', two = ''] = form.exec(text) ?? []
      read?.(step, one, two)
    }
  }
  for (const { steps } of cases) for (const one of steps) one.status ||= 200
  return cases
}

const spelled = (line: string) =>
  line.replaceAll(/\{(\w+)(\??)\}/g, (all, name: string, path: string) => {
    const word = words[name]
    if (word === undefined) return all
    return path === '' ? word : (word.split('?')[0] as string)
  })
