import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { HISTORIES, MEMBER } from '../by-hand.js'
import { judge } from './client.js'

const misnamed = { path: `/~worker-1${MEMBER}`, method: 'PUT', form: { rolle: 'Admin' } }
const titled = (title: string) => ({
  path: '/~worker-1/__admin/reset',
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify({ title }),
})

t.test('a gate names the test whose reset began the sandbox', async (t) => {
  const sent = [titled('members.test.ts > saves a role'), misnamed]
  const { err } = await judge(t, ['--fail-on', 'violations'], sent)
  t.match(err, /\(once, first in PUT \/~worker-1\/api.*, in the test 'members\.test\.ts > saves a role'\)/)
  const untitled = [...sent.slice(0, 1), { ...titled(''), text: '' }, misnamed]
  t.notMatch((await judge(t, ['--fail-on', 'violations'], untitled)).err, /in the test/, 'until the next reset')
})

t.test('a gate that fails for a refusal says how a test expects it', async (t) => {
  const sent = [{ path: HISTORIES, headers: { authorization: null } }]
  const { err } = await judge(t, ['--fail-on', 'violations'], sent)
  t.match(err, / If the test expects to be refused, send Prefer: expect=401\./)
  t.notMatch((await judge(t, ['--fail-on', 'violations'], [misnamed])).err, /expect=/, 'not for what is answered')
})

t.test('violations that are not counted are told in terminal, summary and JUnit', async (t) => {
  const cwd = folder(t)
  const zeroth = { path: HISTORIES.replace('page=1', 'page=0') }
  const args = ['--summary', 's.md', '--junit', 'j.xml', '--fail-on']
  const told = /2 violations rest on interpretations alone, and not counted: --fail-on violations:all counts them\./
  const { code, err } = await judge(t, [...args, 'violations'], [zeroth, zeroth], { cwd })
  t.match({ code, err }, { code: 0, err: told })
  t.match(readFileSync(join(cwd, 's.md'), 'utf8'), /⚠️ 2 violations rest on interpretations alone/)
  t.match(readFileSync(join(cwd, 'j.xml'), 'utf8'), /<system-out>2 violations rest on interpretations alone/)
  const all = await judge(t, [...args, 'violations:all'], [zeroth], { cwd })
  t.equal(all.code, 1)
  t.notMatch(all.err, /not counted/)
})

t.test('requests to the root are told where others name a sandbox', async (t) => {
  const mixed = [{ path: HISTORIES }, { path: `/~worker-1${HISTORIES}` }, { path: HISTORIES }]
  const told = /2 of 3 requests reached the root, not a sandbox: is \/~NAME dropped from their URL\?/
  t.match((await judge(t, ['--fail-on', 'violations'], mixed)).err, told)
  t.notMatch((await judge(t, ['--fail-on', 'violations'], mixed.slice(0, 1))).err, /reached the root/)
})
