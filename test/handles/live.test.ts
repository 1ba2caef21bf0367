import { mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { startMockServer } from '../../src/index.js'
import { folder, serve as serveBinary, until } from '../binary.js'
import { serve } from '../command-line.js'
import { fetchUrl, organization, sendTo, user } from '../helper.js'

const scenarioText = (status: number) =>
  `version: 1\nrules:\n  - on: listCreditHistories\n    answer: { status: ${status} }\n`
const CONFIG = 'countersign.config.yaml'

const users = (token: string) => JSON.stringify({ organizations: [organization(1)], users: [user(token)] })

function newTextReader(read: () => string) {
  let length = 0
  return () => {
    const news = read().slice(length)
    length += news.length
    return news
  }
}

async function startWatching(t: Test, files: Record<string, string> = {}, ...args: string[]) {
  const cwd = folder(t, { [CONFIG]: '', 'scenarios/it.yaml': scenarioText(401), ...files })
  const { url, out, err } = await serve(t, ['--no-log-requests', ...args], { cwd })
  const newOutput = newTextReader(out)
  newOutput()
  return {
    url,
    cwd,
    newErrors: newTextReader(err),
    newOutput,
    write: (file: string, text: string) => writeFile(join(cwd, file), text),
    untilStatus: async (status: number, when: string) => {
      await until(async () => (await statusAt(url)) === status)
      t.pass(`${when}, calls are answered with ${status}`)
    },
  }
}

async function statusAt(url: string, token = 'token-admin', contract: Contract = listCreditHistories): Promise<number> {
  return (await sendTo(url, contract, { headers: { authorization: `Bearer ${token}` } })).status
}

async function activeScenariosAt(url: string): Promise<string[]> {
  const { scenarios } = (await fetchUrl(`${url}/__admin/scenarios`)).body
  return scenarios.filter((one: { active: boolean }) => one.active).map((one: { name: string }) => one.name)
}

const switchScenario = (url: string, scenario: string, active = true) =>
  fetchUrl(`${url}/__admin/scenarios/${scenario}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ active }),
  })

async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.swp`, text)
  await rename(`${file}.swp`, file)
}

t.test('editing, replacing, renaming, deleting and creating a scenario file takes effect', async (t) => {
  const files = { [CONFIG]: 'active: [it, other]\n', 'scenarios/other.yaml': 'rules: []' }
  const { url, write, cwd, untilStatus, newErrors, newOutput } = await startWatching(t, files)
  const file = join(cwd, 'scenarios/it.yaml')
  await sendTo(url, addOrganizationMember, { form: { 'data[0][email]': 'kept@example.test' } })
  await untilStatus(401, 'at first')
  await write('scenarios/it.yaml', scenarioText(400))
  await untilStatus(400, 'once it is edited')
  for (const status of [401, 400]) {
    await replace(file, scenarioText(status))
    await untilStatus(status, 'once it is replaced')
  }
  await rename(file, join(cwd, 'scenarios/other.yaml'))
  await until(async () => (await fetchUrl(`${url}/__admin/scenarios/it`)).status === 404)
  await untilStatus(400, 'once it is renamed over another')
  await rm(join(cwd, 'scenarios/other.yaml'))
  await untilStatus(200, 'once it is deleted')
  await write('scenarios/it.yaml', scenarioText(401))
  await untilStatus(401, 'once it is created again')
  const { messages } = (await fetchUrl(`${url}/__admin/outbox?to=kept@example.test`)).body
  t.equal(messages.length, 1, 'the state is kept')
  t.equal(newErrors(), '', 'there is no complaint')
  const renamed =
    "The scenario 'other' was edited. The scenario 'it' was removed, but 'active' still lists it. Active scenarios: other.\n"
  t.match(newOutput(), renamed, 'one line reports all changes of one edit')
})

t.test('after a broken edit, the last good version stays in use, and the complaint has a position', async (t) => {
  const files = { [CONFIG]: 'active: [it]\n', 'scenarios/new.yaml': 'rules: []' }
  const { url, write, untilStatus, newErrors } = await startWatching(t, files)
  await untilStatus(401, 'at first')
  await write('scenarios/it.yaml', 'version: 1\nrules:\n  - on: listCreditHistory\n')
  t.match(await until(newErrors), /^scenarios\/it\.yaml:3:9: [\s\S]*stays in use\.\n$/, 'the complaint has a position')
  await untilStatus(401, 'after a broken edit')
  await write('scenarios/new.yaml', 'description: as good as new\n')
  await until(async () => (await fetchUrl(`${url}/__admin/scenarios/new`)).body.description === 'as good as new')
  t.equal(newErrors(), '', 'other files still load, and the complaint is not repeated')
  await write('scenarios/it.yaml', scenarioText(400))
  await untilStatus(400, 'once it is fixed')
  for (const [text, message] of [
    ['rules: {', /it\.yaml:1:\d+: /],
    ['', /it\.yaml: The file is empty: add rules, or delete it\./],
  ] as const) {
    await write('scenarios/it.yaml', text)
    t.match(await until(newErrors), message, 'the next mistake is reported')
    await untilStatus(400, `after '${text}'`)
  }
})

t.test('an edit of `active` activates exactly the scenarios that it lists', async (t) => {
  const { url, cwd, write, untilStatus, newErrors, newOutput } = await startWatching(t)
  await untilStatus(200, 'at first')
  await write('package.json', '{}')
  await write(CONFIG, 'active: [it]\n')
  t.equal(await until(newOutput), `${CONFIG} was edited. Active scenarios: it.\n`, 'no shipped scenario is reported')
  await untilStatus(401, 'once the file lists it')
  await switchScenario(url, 'verifyDocument:404')
  await replace(join(cwd, CONFIG), 'active: ["listCreditHistories:400"]\n')
  await untilStatus(400, 'once the file lists an outcome')
  t.same(await activeScenariosAt(url), ['listCreditHistories:400'], 'a scenario activated by admin is deactivated')
  t.same(await activeScenariosAt(`${url}/~later`), ['listCreditHistories:400'], 'a new sandbox has the same list')
  await replace(join(cwd, CONFIG), 'version: 1\nactve: [it]\n')
  t.match(await until(newErrors), `${CONFIG}:2:1: `, 'an unknown key is reported')
  await untilStatus(400, 'after an unknown key')
  await rm(join(cwd, CONFIG))
  await untilStatus(200, 'once the file is deleted')
  t.equal(newErrors(), '', 'a deleted config file counts as empty')
})

t.test('an edited config file resets active scenarios, except where a sandbox switched one', async (t) => {
  const option = ['verifyDocument:404']
  const { url, write, newOutput } = await startWatching(
    t,
    { [CONFIG]: 'active: [it]\n' },
    '--scenario',
    'verifyDocument:404',
  )
  const activeIn = (sandbox = '') => activeScenariosAt(url + sandbox)
  const listed = ['it', 'verifyDocument:404']
  for (const sandbox of ['', '/~calm', '/~own']) t.same(await activeIn(sandbox), listed, 'list and option')
  await switchScenario(url, 'it', false)
  await switchScenario(url, 'listCreditHistories:400')
  await switchScenario(`${url}/~own`, 'gateway:503')
  const next = { rules: [{ on: '*', times: 1, answer: { status: 500 } }], active: true, offWhenSpent: true }
  await fetchUrl(`${url}/~calm/__admin/scenarios/next`, { method: 'PUT', body: JSON.stringify(next) })
  t.equal(await statusAt(`${url}/~calm`), 500, 'a rule for the next call switches itself off')
  await write('notes.json', '{}')
  await write('scenarios/more.yaml', 'rules: []')
  await until(() => newOutput().includes("The scenario 'more' was added."))
  t.same(await activeIn(), ['verifyDocument:404', 'listCreditHistories:400'], 'an edit of another file has no effect')
  await write(CONFIG, 'active: [it]\n# the same list\n')
  await until(() => newOutput().includes('Active scenarios: it, verifyDocument:404.'))
  t.same([await activeIn(), await activeIn('/~calm')], [listed, listed], 'an edit activates exactly the list')
  t.same(await activeIn('/~own'), [...listed, 'gateway:503'], 'but not in a sandbox that switched a scenario')
  await fetchUrl(`${url}/~own/__admin/reset`, { method: 'POST' })
  await write(CONFIG, 'active: []\n')
  await until(() => newOutput().includes('Active scenarios: verifyDocument:404.'))
  for (const sandbox of ['', '/~calm', '/~own']) t.same(await activeIn(sandbox), option, 'a reset sandbox follows too')
})

t.test('a scenario keeps its progress when its file is saved without a change', async (t) => {
  const { url, write, newOutput } = await startWatching(t, { [CONFIG]: 'active: [it]\n' })
  t.equal(await statusAt(url), 401)
  await write('scenarios/it.yaml', `# The same.\n${scenarioText(401)}`)
  await write('scenarios/more.yaml', 'rules: []')
  await until(() => newOutput().includes("The scenario 'more' was added."))
  const { rules } = (await fetchUrl(`${url}/__admin/scenarios/it`)).body
  t.match(rules, [{ answered: 1 }])
})

t.test('a sandbox can have its own `active` list, and an edit of it takes effect', async (t) => {
  const listed = (own: string) => `active: [it]\nsandboxes: { worker-3: { active: [${own}] } }\n`
  const { url, write } = await startWatching(t, { [CONFIG]: listed('service-down') })
  t.same(await activeScenariosAt(`${url}/~worker-3`), ['service-down'], 'the sandbox has its own list')
  t.same(await activeScenariosAt(url), ['it'], 'the root has the general list')
  await write(CONFIG, listed(''))
  await until(async () => (await activeScenariosAt(`${url}/~worker-3`)).length === 0)
  await switchScenario(`${url}/~worker-3`, 'rate-limited')
  await fetchUrl(`${url}/~worker-3/__admin/reset`, { method: 'POST' })
  t.same(await activeScenariosAt(`${url}/~worker-3`), [], 'a reset restores its own list')
  await using mock = await startMockServer({ port: 0, sandboxes: { mine: { active: ['service-down'] } } })
  t.same(await (await mock.sandbox('mine')).scenarios.active(), ['service-down'], 'also in process')
})

t.test('an edit that keeps the size and time of a file takes effect', async (t) => {
  const { cwd, untilStatus } = await startWatching(t, { [CONFIG]: 'active: [it]\n' })
  const file = join(cwd, 'scenarios/it.yaml')
  const { atime, mtime } = await stat(file)
  await untilStatus(401, 'at first')
  await writeFile(file, scenarioText(400))
  await utimes(file, atime, mtime)
  await untilStatus(400, 'once its content is replaced')
})

t.test('a rejected config file takes effect once its missing scenario exists', async (t) => {
  const { write, untilStatus, newErrors, cwd } = await startWatching(t)
  await write(CONFIG, 'active: [later]\n')
  t.match(await until(newErrors), "There is no scenario 'later'", 'a scenario is missing')
  await write('scenarios/later.yaml', scenarioText(400))
  await untilStatus(400, 'once its file exists')
  await mkdir(join(cwd, 'others'))
  await write(CONFIG, 'scenarios: others\nactive: [other]\n')
  await until(newErrors)
  await write('others/other.yaml', scenarioText(401))
  await untilStatus(401, 'once it is in the configured folder')
})

t.test('edited fixtures take effect, and records added by calls stay', async (t) => {
  const { url, cwd } = await startWatching(t, { 'fx/users.json': users('token-a') }, '--fixtures', 'fx')
  const file = join(cwd, 'fx/users.json')
  t.equal(await statusAt(url, 'token-a', addOrganizationMember), 200, 'the first token is known')
  await replace(file, users('token-b'))
  await until(async () => (await statusAt(url, 'token-b')) === 200)
  t.equal(await statusAt(url, 'token-a'), 401, 'the first token is unknown now')
  t.equal((await fetchUrl(`${url}/__admin/state`)).body.invitations.length, 1, 'the invitation is still there')
})

t.test('with --no-watch, edits have no effect', async (t) => {
  const cwd = folder(t, { [CONFIG]: 'active: []\n' })
  const { url } = await serve(t, ['--no-watch'], { cwd })
  await writeFile(join(cwd, CONFIG), 'active: ["listCreditHistories:401"]\n')
  await new Promise((later) => setTimeout(later, 300))
  t.equal(await statusAt(url), 200, 'the edit is ignored')
})

t.test('a scenarios folder is watched even if it is created later', async (t) => {
  const cwd = folder(t, { [CONFIG]: '' })
  const { url } = await serveBinary(t, [], { cwd })
  await mkdir(join(cwd, 'scenarios'))
  await writeFile(join(cwd, 'scenarios/it.yaml'), scenarioText(401))
  await writeFile(join(cwd, CONFIG), 'active: [it]\n')
  await until(async () => (await statusAt(url)) === 401)
  await writeFile(join(cwd, 'scenarios/it.yaml'), scenarioText(400))
  t.ok(await until(async () => (await statusAt(url)) === 400))
})

t.test('an edit takes effect while another file keeps changing', async (t) => {
  const { write, untilStatus } = await startWatching(t)
  const restless = setInterval(() => write('scenarios/restless.yaml', `rules: [] # ${Math.random()}\n`), 60)
  t.teardown(() => clearInterval(restless))
  await write(CONFIG, 'active: [it]\n')
  await untilStatus(401, 'while a file is written again and again')
})

t.test('a fixtures file that an edit adds to the config file is watched', async (t) => {
  const { url, write } = await startWatching(t, { 'fx.json': users('one') })
  const isKnown = (token: string) => until(async () => (await statusAt(url, token)) === 200)
  await write(CONFIG, 'fixtures: fx.json\n')
  await isKnown('one')
  await write('fx.json', users('two'))
  t.ok(await isKnown('two'), 'its next edit takes effect')
})
