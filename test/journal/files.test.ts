import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { folder, until } from '../binary.js'
import { serve } from '../command-line.js'
import { fetchUrl } from '../helper.js'

const RULES = 'rules:\n  - on: listCreditHistories\n    answer: { status: 401 }\n'

t.test('unusable files are listed until they are fixed', async (t) => {
  const files = { 'countersign.config.yaml': '', 'scenarios/it.yaml': RULES, 'scenarios/other.yaml': RULES }
  const cwd = folder(t, files)
  const { url } = await serve(t, ['--no-log-requests'], { cwd })
  const complaints = async () => (await fetchUrl(`${url}/__admin/files`)).body.complaints
  const write = (file: string, text: string) => writeFile(join(cwd, file), text)
  t.strictSame(await complaints(), [])
  await write('scenarios/it.yaml', 'rules:\n  - on: nope\n')
  const [broken] = await until(async () => (await complaints()).length > 0 && complaints())
  t.match(broken, { file: 'scenarios/it.yaml', scenario: 'it', line: 2, column: 9, message: /'nope'/ })
  await write('countersign.config.yaml', 'active: [later]\n')
  await until(async () => (await complaints()).length === 2)
  t.match((await complaints())[0], { file: 'countersign.config.yaml', line: 1, message: /'later'/ })
  await write('scenarios/other.yaml', RULES.replace('401', '400'))
  await new Promise((later) => setTimeout(later, 500))
  t.equal((await complaints()).length, 2, 'an edit of another file keeps both')
  await write('scenarios/later.yaml', RULES)
  await until(async () => (await complaints()).length === 1)
  t.match(await complaints(), [{ file: 'scenarios/it.yaml' }], 'the config lists a scenario that exists now')
  await write('scenarios/it.yaml', RULES)
  await until(async () => (await complaints()).length === 0)
  await write('countersign.config.yaml', 'fixtures: none.json\n')
  await until(async () => (await complaints()).length === 1)
  t.match(await complaints(), [{ file: 'none.json', message: /cannot be read/ }])
})

t.test('a scenario is saved into the scenarios folder, and never replaces one that the user wrote', async (t) => {
  const cwd = folder(t, { 'countersign.config.yaml': '', 'scenarios/mine.yaml': RULES, 'scenarios/old.yml': RULES })
  const { url } = await serve(t, ['--no-log-requests'], { cwd })
  const save = (name: string, body: string) =>
    fetchUrl(`${url}/__admin/scenarios/${name}?save=true`, {
      method: 'PUT',
      headers: { 'content-type': body.startsWith('{') ? 'application/json' : 'application/yaml' },
      body,
    })
  const sourceOf = async (name: string) => (await fetchUrl(`${url}/__admin/scenarios/${name}`)).body.source
  const text = (name: string) => readFile(join(cwd, `scenarios/${name}.yaml`), 'utf8')

  const saved = await save('new', `# Why it is there.\n${RULES}active: true\n`)
  t.match(saved, { status: 200, body: { name: 'new', active: true, file: join('scenarios', 'new.yaml') } })
  t.match(await text('new'), /^# Saved by countersign.*\n# Why it is there\.\nrules:\n.*status: 401/s)
  t.notMatch(await text('new'), 'active', 'the file has no `active`')
  await until(async () => (await sourceOf('new')) === 'file')
  t.equal((await save('new', '{"rules":[{"on":"*","answer":{"status":500}}]}')).status, 200, 'it can be saved again')
  t.match(await text('new'), 'status: 500')
  t.strictSame((await fetchUrl(`${url}/__admin/files`)).body, { complaints: [] }, 'the file can be used')

  for (const name of ['mine', 'old'])
    t.match(await save(name, RULES), { status: 409, body: { detail: /has the scenario's name/ } }, name)
  t.equal(await text('mine'), RULES, 'the file is unchanged')
  t.equal(await sourceOf('mine'), 'file', 'the scenario still comes from its file')
  t.match(await save('bad', 'rules:\n  - on: nope\n'), { status: 400 })
  await t.rejects(text('bad'), 'an invalid scenario is not saved')
  t.match(await save('..%2Fup', RULES), { status: 400 })
  await t.rejects(readFile(join(cwd, 'up.yaml')), 'no file outside the folder is written')
  t.match(await save('new', '{"active":true}'), { status: 400, body: { detail: /send the rules/ } })
})

t.test('the file of a scenario is edited in place, and edits by other programs are kept', async (t) => {
  const text = `# Why.\n${RULES}`
  const cwd = folder(t, { 'countersign.config.yaml': '', 'scenarios/mine.yml': text })
  const { url } = await serve(t, ['--no-log-requests'], { cwd })
  const put = (name: string, body: string, query: string) => {
    const headers = { 'content-type': 'application/yaml' }
    return fetchUrl(`${url}/__admin/scenarios/${name}?${query}`, { method: 'PUT', headers, body })
  }
  const sourceOf = async (name: string) => (await fetchUrl(`${url}/__admin/scenarios/${name}?source=true`)).body
  const read = (name: string) => readFile(join(cwd, 'scenarios', name), 'utf8')

  const { tag, ...found } = await sourceOf('mine')
  t.strictSame(found, { file: join('scenarios', 'mine.yml'), text })
  const edited = text.replace('401', '500')
  const invalid = await put('mine', 'rules: [{ on: nope }]', 'check=true')
  t.match(invalid, { status: 400, body: { complaints: [{ line: 1 }] } })
  t.match(await put('mine', edited, 'check=true'), { status: 200 })
  t.equal(await read('mine.yml'), text, 'a check changes nothing')
  t.match(await put('mine', edited, `save=true&tag=${tag}`), { status: 200, body: { file: found.file } })
  t.equal(await read('mine.yml'), edited, 'the comment is kept, and no mark added')
  await until(async () => (await fetchUrl(`${url}/__admin/scenarios/mine`)).body.source === 'file')
  t.match(await put('mine', text, `save=true&tag=${tag}`), { status: 409, body: { detail: /changed or deleted/ } })
  t.equal(await read('mine.yml'), edited)

  await writeFile(join(cwd, 'scenarios/bad.json'), '{')
  t.equal((await put('mine', edited, 'tag=a')).status, 400, 'a tag needs save=true')
  t.equal((await put('own', RULES, 'save=true')).status, 200)
  t.equal((await put('own', RULES, `save=true&tag=${(await sourceOf('own')).tag}`)).status, 200)
  t.equal((await put('own', RULES, 'save=true')).status, 200, 'a file saved by countersign can be replaced')

  await put('base', RULES, '')
  t.match(await put('child', 'extends: [base]', 'save=true'), { status: 409, body: { detail: /'base' has no file/ } })
  const broken = await sourceOf('bad')
  t.match(broken, { text: '{' }, 'an unusable file can be read')
  t.match(await put('bad', RULES, `save=true&tag=${broken.tag}`), { status: 400 }, 'YAML is invalid in a JSON file')
  t.match(await put('bad', '{"rules":[]}', `save=true&tag=${broken.tag}`), { status: 200 })
  t.equal(await read('bad.json'), '{"rules":[]}')
  for (const name of ['none', 'service-down', '..%2Fcountersign.config'])
    t.match(await fetchUrl(`${url}/__admin/scenarios/${name}?source=true`), { status: 404 }, name)
})

t.test('an edited option that needs a restart is reported', async (t) => {
  const cwd = folder(t, { 'countersign.config.yaml': '' })
  const { url } = await serve(t, ['--no-log-requests'], { cwd })
  const files = async () => (await fetchUrl(`${url}/__admin/files`)).body
  await writeFile(join(cwd, 'countersign.config.yaml'), 'seed: 7\n')
  await until(async () => 'needsRestart' in (await files()))
  t.strictSame(await files(), { complaints: [], needsRestart: ['--seed'] })
  await writeFile(join(cwd, 'countersign.config.yaml'), '')
  await until(async () => !('needsRestart' in (await files())))
})

t.test('a scenario is saved in the scenarios folder beside the config file', async (t) => {
  const cwd = folder(t, { 'deploy/countersign.config.yaml': 'version: 1\n' })
  const { url } = await serve(t, ['--no-log-requests', '--config', 'deploy/countersign.config.yaml'], { cwd })
  const headers = { 'content-type': 'application/yaml' }
  const saved = await fetchUrl(`${url}/__admin/scenarios/new?save=true`, { method: 'PUT', headers, body: RULES })
  t.match(saved, { status: 200, body: { file: join('deploy', 'scenarios', 'new.yaml') } })
  await until(async () => (await fetchUrl(`${url}/__admin/scenarios/new`)).body.source === 'file')
})
