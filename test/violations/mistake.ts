import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readCases } from './case.js'

const ORGANIZATION = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const SUB = '6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60'
const PROJECT = 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'

const MEMBER = 'email]=ada@example.test first_name]=Ada last_name]=Lovelace role]=Member organization_id]=1'.split(' ')

/** What stands in braces: records of the default world, and each operation's URL, with `?` its path alone. */
const words: Readonly<Record<string, string>> = {
  files: fileURLToPath(new URL('../../fixtures/files', import.meta.url)),
  member: MEMBER.map((field) => `-F 'data[0][${field}'`).join(' '),
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

/** Reads a file of mistakes; `cases/README.md` describes the format. */
export function readMistakes(file: string) {
  const member = MEMBER.map((field) => `-F data[0][${field}`).join('\n')
  const text = readFileSync(file, 'utf8').replaceAll(/^\{member\}$/gm, member)
  const spelled = text.replaceAll(/\{(\w+)(\??)\}/g, (all, name: string, path: string) => {
    const word = words[name]
    if (word === undefined) return all
    return path === '' ? word : (word.split('?')[0] as string)
  })
  return readCases(file, spelled).flatMap(({ name, steps }) => steps.map((step) => ({ name, ...step })))
}
