import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { launch } from '../binary.js'
import { verify } from './stub.js'

/** Prism, where it is installed: `PRISM=…/node_modules/.bin/prism`, or on the path. */
const prism =
  process.env.PRISM ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'prism'))
    .find((file) => existsSync(file))

const skip = prism === undefined && 'Prism is not installed: name its command in PRISM to run this'

t.test('Prism has the documented shapes, and what it does not do is found', { skip }, async (t) => {
  const port = 4_100 + (process.pid % 500)
  const served = launch(t, prism as string, ['mock', '-p', String(port), 'openapi.json'], { cwd: process.cwd() })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100 && !/is listening on/.test(served.out()); tries++) await sleep(200)
  const { code, text } = await verify(t, url, '--wait-until-up', '20', '--allow-writes')
  t.equal(code, 1, 'it departs from the document', { text })
  for (const [statement, what] of [
    ['SA.4', 'a wrong token is taken'],
    ['S5.2', 'every page is the first'],
    ['SU.3', 'the filter is ignored'],
    ['SE.3', 'what is unknown is found'],
    ['S7.5', 'all recipients get one link'],
  ] as const)
    t.match(text, new RegExp(`✗ [^\\n]*${statement.replace('.', '\\.')}`), `${statement}: ${what}`)
  t.notMatch(text, /✗ (?:S1\.7|S2\.8|S3\.6|S5\.8|S6\.7) {2}/, 'but no body has another shape')
})
