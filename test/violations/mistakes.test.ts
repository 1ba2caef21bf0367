import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { launch } from '../binary.js'
import { build, type FilePart, fileOf, fixtureFile, lastExchange, multipart } from '../helper.js'
import { listening } from '../wire.js'
import { readCases, type Step } from './case.js'

const ORGANIZATION = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const SUB = '6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60'
const PROJECT = 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'

const MEMBER = 'email]=ada@example.test first_name]=Ada last_name]=Lovelace role]=Member organization_id]=1'.split(' ')

/** What stands in braces: records of the default fixtures, and each operation's URL, with `?` its path alone. */
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
function readMistakes(file: string) {
  const member = MEMBER.map((field) => `-F data[0][${field}`).join('\n')
  const text = readFileSync(file, 'utf8').replaceAll(/^\{member\}$/gm, member)
  const spelled = text.replaceAll(/\{(\w+)(\??)\}/g, (all, name: string, path: string) => {
    const word = words[name]
    if (word === undefined) return all
    return path === '' ? word : (word.split('?')[0] as string)
  })
  return readCases(file, spelled).flatMap(({ name, steps }) => steps.map((step) => ({ name, ...step })))
}

const FOLDER = new URL('../cases/mistakes/', import.meta.url)
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))
const CURL = '/usr/bin/curl'
const skip = existsSync(CURL) ? false : `${CURL} is not installed here`

/** A field's text, the file that `@NAME` names, or one that says after `!` what is in it. */
function fieldOf(text: string): string | FilePart {
  const [, mark, content = '', settings = ''] = /^([@!])(.*?)((?:;\w+=[^;]*)*)$/.exec(text) ?? []
  if (mark === undefined) return decodeURIComponent(text.replaceAll(/%(?![0-9A-F]{2})/g, '%25'))
  const { filename = content, type } = Object.fromEntries(settings.split(';').map((one) => one.split('=')))
  return mark === '@' ? { ...fixtureFile(content, type), filename } : fileOf(content, filename, type)
}

function requestOf({ method, path, headers, unsent, fields, data }: Step, port: number, sandbox: string) {
  const form = fields.length > 0 ? multipart(fields.map(([name, value]) => [name, fieldOf(value)])) : undefined
  const token = unsent.includes('Authorization') ? {} : { Authorization: 'Bearer token-admin' }
  return {
    method: method as 'GET',
    url: `/~${sandbox}${path}`,
    headers: { host: `127.0.0.1:${port}`, ...token, ...Object.fromEntries(headers), ...form?.headers },
    payload: form?.body ?? data?.replaceAll('\\r\\n', '\r\n'),
  }
}

for (const file of files) {
  t.test(`mistakes of ${file.replace('.txt', '')} are told, and corrected`, async (t) => {
    const { server, url, port } = await listening(t)
    const strict = await build(t, { strict: true })
    for (const [nth, mistake] of readMistakes(new URL(file, FOLDER).pathname).entries()) {
      const sandbox = `mistake-${nth}`
      const { name } = mistake
      const { statusCode } = await server.app.inject(requestOf(mistake, port, sandbox))
      const strictly = await strict.app.inject(requestOf(mistake, port, sandbox))
      const { violations } = await lastExchange(server, sandbox)
      t.equal(statusCode, mistake.status, `${name}: the status`)
      const told = violations.flatMap(({ code, where, basis, cites, message, fix }) => [
        ['~', code, where, basis, ...cites].join(' '),
        `  ${message}`,
        `  fix: ${fix}`,
      ])
      t.strictSame(told, mistake.told, `${name}: what is told`)
      if (violations.length > 0) t.ok(strictly.statusCode >= 400, `${name}: a strict server refuses it`)
      const lines = new Set(violations.map(({ corrected }) => corrected))
      if (lines.size === 0) continue
      t.equal(lines.size, 1, `${name}: all violations have the same correction`)
      const [line] = lines
      const short = line?.replace(`${url}/~${sandbox}`, '').replace(` -H 'Authorization: Bearer '"$TOKEN"`, '')
      const wanted = mistake.corrected === 'none' ? undefined : (mistake.corrected ?? '')
      t.equal(short, wanted, `${name}: the correction`)
      if (line === undefined || skip) continue
      const sent = { cwd: new URL('../../fixtures/files/', import.meta.url).pathname, env: { TOKEN: 'token-admin' } }
      const { code, err } = await launch(t, 'sh', ['-c', `${line} -sS -o /dev/null`], sent).ended
      t.equal(code, 0, `${name}: the correction can be run`, { err, line })
      const again = await lastExchange(server, sandbox)
      t.same(again.violations, [], `${name}: the correction has no violation`, { line })
      t.not(again.operation, null, `${name}: the correction calls an operation`)
    }
  })
}
