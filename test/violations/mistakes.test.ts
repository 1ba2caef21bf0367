import { existsSync, readdirSync } from 'node:fs'
import t from 'tap'
import { launch } from '../binary.js'
import { fillWildcards } from '../fits.js'
import { adminOf, build, type FilePart, fileOf, fixtureFile, lastExchange, multipart } from '../helper.js'
import { listeningServer } from '../wire.js'
import { readCases, type Step } from './case.js'

const mistakesOf = (file: string) =>
  readCases(file).flatMap(({ name, steps }) => steps.map((step) => ({ name, ...step })))

const FOLDER = new URL('../cases/mistakes/', import.meta.url)
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))
const CURL = '/usr/bin/curl'
const skip = existsSync(CURL) ? false : `${CURL} is not installed here`

/** `@NAME` is a file of the fixtures, `!TEXT` a file with this text, and all else the field's text. */
function fieldOf(text: string): string | FilePart {
  const [, mark, content = '', settings = ''] = /^([@!])(.*?)((?:;\w+=[^;]*)*)$/.exec(text) ?? []
  if (mark === undefined) return decodeURIComponent(text.replaceAll(/%(?![0-9A-F]{2})/g, '%25'))
  const { filename = content, type } = Object.fromEntries(settings.split(';').map((setting) => setting.split('=')))
  return mark === '@' ? { ...fixtureFile(content, type), filename } : fileOf(content, filename, type)
}

function requestOf({ method, path, headers, omittedHeaders, fields, data }: Step, port: number, sandbox: string) {
  const form = fields.length > 0 ? multipart(fields.map(([name, value]) => [name, fieldOf(value)])) : undefined
  const token = omittedHeaders.includes('Authorization') ? {} : { Authorization: 'Bearer token-admin' }
  return {
    method: method as 'GET',
    url: `/~${sandbox}${path}`,
    headers: { host: `127.0.0.1:${port}`, ...token, ...Object.fromEntries(headers), ...form?.headers },
    payload: form?.body ?? data?.replaceAll('\\r\\n', '\r\n'),
  }
}

/** Three lines for each violation, with `*` for a message or a fix that the case omits. */
function withWildcards(reported: readonly string[]): string[] {
  const violations = reported.length > 0 ? reported.join('\n').split(/\n(?=~ )/) : []
  return violations.flatMap((text) => {
    const [violation = '', ...lines] = text.split('\n')
    const fix = lines.find((line) => line.startsWith('  fix: ')) ?? '  fix: *'
    return [violation, lines.find((line) => line !== fix) ?? '  *', fix]
  })
}

/** Values that identify one person or record: addresses, tokens, codes and UUIDs. */
function identitiesIn(state: object): string[] {
  const texts = JSON.stringify(state).match(/"[^"\\]{6,60}"/g) ?? []
  return [...new Set(texts.map((text) => text.slice(1, -1)))].filter((text) => /@|-\d|^token-|^[\da-f]{8}-/.test(text))
}

for (const file of files) {
  t.test(`mistakes in ${file.replace('.txt', '')} are reported and corrected`, async (t) => {
    const { server, url, port } = await listeningServer(t)
    const strict = await build(t, { strict: true })
    const identities = identitiesIn(await adminOf(server).state())
    for (const [nth, mistake] of mistakesOf(new URL(file, FOLDER).pathname).entries()) {
      const sandbox = `mistake-${nth}`
      const name = `${file}:${mistake.line}, ${mistake.name}`
      const { statusCode } = await server.app.inject(requestOf(mistake, port, sandbox))
      const strictAnswer = await strict.app.inject(requestOf(mistake, port, sandbox))
      const { violations } = await lastExchange(server, sandbox)
      t.equal(statusCode, mistake.status, `${name}: the status`)
      const reported = violations.flatMap(({ code, where, basis, cites, message, fix }) => [
        ['~', code, where, basis, ...cites].join(' '),
        `  ${message}`,
        `  fix: ${fix}`,
      ])
      t.strictSame(reported, fillWildcards(withWildcards(mistake.reportedLines), reported), `${name}: the violations`)
      const source = JSON.stringify(mistake)
      const leaked = identities.filter((id) => !source.includes(id) && violations.some(({ fix }) => fix.includes(id)))
      t.strictSame(leaked, [], `${name}: no fix contains another record's data`)
      if (violations.length > 0) t.ok(strictAnswer.statusCode >= 400, `${name}: a strict server answers with an error`)
      const lines = new Set(violations.map(({ corrected }) => corrected))
      if (lines.size === 0) continue
      t.equal(lines.size, 1, `${name}: all violations have the same correction`)
      const [line] = lines
      const short = line?.replace(`${url}/~${sandbox}`, '').replace(` -H 'Authorization: Bearer '"$TOKEN"`, '')
      t.equal(short, mistake.correction, `${name}: the correction`)
      if (line === undefined || skip) continue
      const options = { cwd: new URL('../../fixtures/files/', import.meta.url).pathname, env: { TOKEN: 'token-admin' } }
      const { code, err } = await launch(t, 'sh', ['-c', `${line} -sS -o /dev/null`], options).ended
      t.equal(code, 0, `${name}: curl runs the correction`, { err, line })
      const resent = await lastExchange(server, sandbox)
      t.same(resent.violations, [], `${name}: the correction has no violation`, { line })
      t.not(resent.operation, null, `${name}: the correction calls an operation`)
    }
  })
}
