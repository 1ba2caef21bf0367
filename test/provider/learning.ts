import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { parse } from 'yaml'
import type { SwitchName } from '../../schemas/interpretations.js'
import type { Readings } from '../../schemas/readings.js'
import { formOf } from '../by-hand.js'
import { run } from '../command-line.js'
import { TOKEN } from './stub.js'

export const CLOCK = '2026-03-01T12:00:00.250Z'

export async function learn(t: Test, url: string, folder: string, ...argv: string[]) {
  const words = ['learn', '--target', url, '--token', TOKEN, '--retries', '0', ...argv]
  const { code, out, err } = await run(t, words, { cwd: folder })
  const file = join(folder, 'countersign.learned.yaml')
  return { code, text: `${err}${out}`, file, learned: existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined }
}

/** Calls that between them show every switch, each with what it is answered. */
export async function wire(url: string): Promise<unknown[]> {
  const user = 'user_type=ENTERPRISE_API'
  const page = 'page=1&per_page=2&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
  const verified = { code: 'DOC-2025-0001', user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31' }
  const invitation = (email: string, organization: string) =>
    formOf({
      'data[0][email]': email,
      'data[0][first_name]': 'A',
      'data[0][last_name]': 'B',
      'data[0][role]': 'Member',
      'data[0][organization_id]': organization,
    })
  const search = '/api/v2/projects/protect'
  const histories = '/api/v2/credits/histories'
  const verify = '/api/v2/verifications/document/verify'
  const add = `/api/v2/organization/members/add?${user}`
  const member = (sub: string, id: string) => `/api/v2/sub-organizations/${sub}/members/${id}?${user}`
  const own = '6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60'
  const link = '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/link'
  const file = new File([readFileSync('fixtures/files/signature.png')], 'signature.png', { type: 'image/png' })
  const calls: readonly [method: string, path: string, body?: FormData][] = [
    ['GET', `${search}?${user}&keyword[sample_1]=contract`],
    ['GET', `${search}?${user}&keyword[sample_1]=contract&keyword[sample_2]=nowhere`],
    ['GET', `${search}?${user}&keyword[sample_1]=contract&keyword[sample_2]=`],
    ['GET', `${search}?${user}&keyword[sample_1]=nowhere`],
    ['GET', `${search}?keyword[sample_1]=contract`],
    ['GET', `${histories}?${page}`],
    ['GET', `${histories}?${page}&sort=nothing`],
    ['GET', `${histories}?${page}&sort=`],
    ['GET', `${histories}?${page.replace('1c9e', '0000')}`],
    ['POST', `${verify}?${user}`, formOf(verified)],
    ['POST', `${verify}?${user}`, formOf({ ...verified, user_uuid: '7c2d9e41-6a5b-4f38-8e17-2b9c0d1f3a64' })],
    ['POST', verify, formOf(verified)],
    ['POST', add, invitation('x@example.test', '1')],
    ['POST', add, invitation('x@example.test', '1')],
    ['POST', add, invitation('y@example.test', '4711')],
    ['POST', `/client/signature?${user}`, formOf({ file })],
    ['PUT', member(own, '102'), formOf({ first_name: '' })],
    ['PUT', member(own, '102'), formOf({ role: 'Member' })],
    ['PUT', member('e0c4a7d2-9f13-4b85-a6e8-3d5b1c7f9024', '302'), formOf({})],
    ['POST', `${link}?email=grace@example.test`],
    ['POST', link],
  ]
  const answers: unknown[] = []
  const headers = { authorization: `Bearer ${TOKEN}` }
  for (const [method, path, body = null] of calls) {
    const response = await fetch(url + path, { method, body, headers })
    answers.push([method, path, response.status, (await response.text()).replaceAll(url, '')])
  }
  return answers
}

/** Switches with a template: nobody can see it, for its words are samples. */
export const TEMPLATES: readonly SwitchName[] = ['errorBody', 'signingLinkBody', 'successWords']

export function fromFile(file: string): { readonly interpretations: Partial<Readings> } {
  return { interpretations: parse(readFileSync(file, 'utf8')).interpretations }
}

/** The status and the shape of an answer. */
export function alike(answer: unknown): unknown {
  const [method, path, status, text] = answer as [string, string, number, string]
  return [method, path, status, shape(JSON.parse(text))]
}

function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one)]))
}
