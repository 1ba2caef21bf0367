import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Step {
  readonly line: number
  readonly method: string
  readonly path: string
  readonly headers: [name: string, value: string][]
  readonly omittedHeaders: string[]
  readonly fields: [name: string, value: string][]
  data: string | undefined
  status: number
  readonly expectedHeaders: [name: string, value: string][]
  readonly absentHeaders: string[]
  body: string
  readonly reportedLines: string[]
  correction: string | undefined
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

/** Values of `{NAME}`: records of the default fixtures, and operations' URLs; `{NAME?}` is the path alone. */
const placeholders: Readonly<Record<string, string>> = {
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

/** Parsers of the kinds of line; the first pattern that matches applies. `cases/README.md` describes the format. */
const requestLines: readonly (readonly [pattern: RegExp, parse: (step: Step, a: string, b: string) => void])[] = [
  [/^< (\d{3})$/, (step, status) => void Object.assign(step, { status: Number(status) })],
  [/^-F ([^=]+)=(.*)$/, (step, name, value) => void step.fields.push([name, value])],
  [/^-d (.*)()$/, (step, data) => void Object.assign(step, { data })],
  [/^([\w-]+): ?(.*)$/, (step, name, value) => void step.headers.push([name, value])],
  [/^! ([\w-]+)()$/, (step, name) => void step.omittedHeaders.push(name)],
]
const answerLines: typeof requestLines = [
  [/^! ([\w-]+)()$/, (step, name) => void step.absentHeaders.push(name)],
  [/^([\w-]+): (.*)$/, (step, name, value) => void step.expectedHeaders.push([name, value])],
  [/^((?:~| ) .*)()$/, (step, line) => void step.reportedLines.push(line)],
  [/^\$ (.*)()$/, (step, correction) => void Object.assign(step, { correction })],
]

/** Reads the cases of a file. @throws {Error} with the number of a line that cannot be read */
export function readCases(file: string): Case[] {
  const cases: Case[] = []
  let step: Step | undefined
  let inBody = false
  for (const [index, source] of readFileSync(file, 'utf8').split('\n').entries()) {
    const line = index + 1
    const text = fillPlaceholders(source)
    const [, name] = /^=== (.+)$/.exec(text) ?? []
    const [, method, path] = /^> ([A-Z]+) (\/\S*)$/.exec(text) ?? []
    if (name !== undefined) {
      cases.push({ name, steps: [] })
      step = undefined
    } else if (method !== undefined && path !== undefined && cases.length > 0) {
      const request = { line, method, path, headers: [], omittedHeaders: [], fields: [], data: undefined }
      const answer = { status: 0, expectedHeaders: [], absentHeaders: [], body: '' }
      step = { ...request, ...answer, reportedLines: [], correction: undefined }
      cases.at(-1)?.steps.push(step)
      inBody = false
    } else if (source === '{member}') {
      const names = new Set(step?.fields.map(([name]) => name))
      step?.fields.push(...MEMBER.filter(([name]) => !names.has(name)))
    } else if (step !== undefined && (inBody || (step.status > 0 && /^[{[]/.test(text)))) {
      step.body += `${text}\n`
      inBody = true
    } else if (text === '') inBody = step !== undefined && step.status > 0
    else if (step === undefined && text.startsWith('#')) continue
    else {
      const kinds = step?.status === 0 ? requestLines : answerLines
      const [pattern, parse] = kinds.find(([pattern]) => pattern.test(text)) ?? []
      if (step === undefined || pattern === undefined) throw new Error(`${file}:${line}: cannot read '${text}'`)
      const [, a = '', b = ''] = pattern.exec(text) ?? []
      parse?.(step, a, b)
    }
  }
  for (const { steps } of cases) for (const step of steps) step.status ||= 200
  return cases
}

const fillPlaceholders = (line: string) =>
  line.replaceAll(/\{(\w+)(\??)\}/g, (placeholder, name: string, pathOnly: string) => {
    const value = placeholders[name]
    if (value === undefined) return placeholder
    return pathOnly === '' ? value : (value.split('?')[0] as string)
  })
