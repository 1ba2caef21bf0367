import { existsSync, readdirSync } from 'node:fs'
import t from 'tap'
import { entryOf } from '../../src/world/journal/entry.js'
import { launch } from '../binary.js'
import { type FilePart, fileOf, fixtureFile, lastExchange, multipart } from '../helper.js'
import { listening } from '../wire.js'
import type { Step } from './case.js'
import { readMistakes } from './mistake.js'

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
    for (const [nth, mistake] of readMistakes(new URL(file, FOLDER).pathname).entries()) {
      const sandbox = `mistake-${nth}`
      const { name } = mistake
      const { statusCode } = await server.app.inject(requestOf(mistake, port, sandbox))
      const { violations } = entryOf(lastExchange(server, sandbox))
      t.equal(statusCode, mistake.status, `${name}: the status`)
      for (const { code, where, basis, cite } of mistake.told) {
        const found = violations.find((one) => one.code === code && one.where === where)
        t.match(found, { basis, cites: { 0: cite }, fix: /\S/ }, `${name}: ${code} at ${where}`, { violations })
      }
      if (mistake.told.length === 0) t.same(violations, [], `${name}: nothing is told`)
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
      const again = entryOf(lastExchange(server, sandbox))
      t.same(again.violations, [], `${name}: the correction has no violation`, { line })
      t.not(again.operation, null, `${name}: the correction calls an operation`)
    }
  })
}
