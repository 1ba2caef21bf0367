import { appendFile, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { readConfig } from '../../src/server/config-file.js'
import { resolveSettings } from '../../src/server/settings.js'
import type { Settings } from '../../src/world/settings.js'
import { folder, serve as serveBinary, until } from '../binary.js'
import { serve } from '../command-line.js'
import { requestOf, send } from '../helper.js'
import { organization, user } from '../state/stored.js'
import { listening } from '../wire.js'

const answering = (status: number) =>
  `version: 1\nrules:\n  - on: listCreditHistories\n    answer: { status: ${status} }\n`
const CONFIG = 'countersign.config.yaml'

/** Fixtures with one user, whose token it is. */
const users = (token: string, organization_id = 1) =>
  JSON.stringify({ organizations: [organization(1)], users: [user(token, organization_id)] })

/** Lines that are written, and read once. */
function pad() {
  const lines: string[] = []
  return { write: (line: string) => void lines.push(`${line}\n`), read: () => lines.splice(0).join('') }
}

/** A server that watches a folder of these files, as `start` does. */
async function watching(t: Test, files: Record<string, string> = {}, own: Partial<Settings> = {}) {
  const place = folder(t, { [CONFIG]: '', 'sc/it.yaml': answering(401), ...files })
  const reread = async () => ({
    ...resolveSettings({}, {}, await readConfig(undefined, place)),
    port: 0,
    configFile: join(place, CONFIG),
    scenarios: join(place, 'sc'),
    ...own,
  })
  const [told, did] = [pad(), pad()]
  const parts = { notify: told.write, print: did.write, rereadSettings: reread }
  const { server } = await listening(t, await reread(), parts)
  // Complaints that a file has from the start are told once the server listens.
  await server.worlds.root.library.load()
  const status = async () => (await send(server, listCreditHistories)).statusCode
  return {
    server,
    place,
    /** What the user was told is wrong, since it was last asked. */
    told: told.read,
    /** What edits did, since it was last asked. */
    did: did.read,
    write: (file: string, text: string) => writeFile(join(place, file), text),
    answers: async (wanted: number, when: string) => {
      await until(async () => (await status()) === wanted)
      t.pass(`${when}, calls are answered with ${wanted}`)
    },
  }
}

/** The status with which a server that listens answers this token. */
async function statusAt(url: string, token = 'token-admin'): Promise<number> {
  const { url: path, headers } = requestOf(listCreditHistories, { headers: { authorization: `Bearer ${token}` } })
  return (await fetch(url + path, { headers: headers as Record<string, string> })).status
}

/** As editors save: a new file takes the old one's place. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.swp`, text)
  await rename(`${file}.swp`, file)
}

t.test('a scenario is taken as it is edited, replaced, renamed, deleted and made', async (t) => {
  const files = { [CONFIG]: 'active: [it, other]\n', 'sc/other.yaml': 'rules: []' }
  const { write, place, answers, told, did, server } = await watching(t, files)
  const file = join(place, 'sc/it.yaml')
  await send(server, addOrganizationMember, { form: { 'data[0][email]': 'kept@example.test' } })
  await answers(401, 'at first')
  await write('sc/it.yaml', answering(400))
  await answers(400, 'once it is edited')
  await replace(file, answering(401))
  await answers(401, 'once it is replaced')
  await replace(file, answering(400))
  await answers(400, 'once it is replaced again')
  await rename(file, join(place, 'sc/other.yaml'))
  await until(async () => server.worlds.root.library.find('it') === undefined)
  await answers(400, 'once it is renamed over another')
  await rm(join(place, 'sc/other.yaml'))
  await answers(200, 'once it is deleted')
  await write('sc/it.yaml', answering(401))
  await answers(401, 'once it is made again')
  t.equal(server.worlds.root.outbox.messages('kept@example.test').length, 1, 'all the while the state is kept')
  t.equal(told(), '', 'nothing is wrong')
  const lines = did().trim().split('\n')
  t.equal(lines[0], "The scenario 'it' was edited. On now: it, other.", 'what an edit did is told, and what is on')
  t.ok(lines.includes("The scenario 'other' was edited. The scenario 'it' was removed. On now: other."), 'it is told')
  t.ok(lines.includes("The scenario 'other' was removed. On now: no scenario."), 'also when nothing is left')
  t.equal(lines.at(-1), "The scenario 'it' was added. On now: it.", 'what comes back is on again')
})

t.test('a scenarios folder of the config file that cannot be read leaves the scenarios as they were', async (t) => {
  const place = folder(t, { [CONFIG]: 'active: [it]\n', 'scenarios/it.yaml': answering(401), 'a.txt': '' })
  const reread = async () => ({ ...resolveSettings({}, {}, await readConfig(undefined, place), place), port: 0 })
  const told = pad()
  const { server } = await listening(t, await reread(), { notify: told.write, rereadSettings: reread })
  await writeFile(join(place, CONFIG), 'active: [it]\nscenarios: ./a.txt\n')
  const complaint = await until(told.read)
  const where = '.yaml:2:12: a.txt: The scenarios cannot be read: a file is where a folder should be.'
  t.match(complaint, where, 'what is wrong is told with its place')
  t.match(complaint, /Its last good version stays in use\.\n+$/, 'what is said of the scenarios is true')
  t.equal((await send(server, listCreditHistories)).statusCode, 401, 'the scenario still answers')
})

t.test('a broken edit keeps the last good version, and says what is wrong and where', async (t) => {
  const { write, answers, told, server } = await watching(t, { [CONFIG]: 'active: [it]\n', 'sc/new.yaml': 'rules: []' })
  await answers(401, 'at first')
  await write('sc/it.yaml', 'version: 1\nrules:\n  - on: listCreditHistory\n')
  const complaint = await until(told)
  const wrong =
    /it\.yaml:3:9: 'rules\.0\.on' must be .*, not 'listCreditHistory'\. Did you mean 'listCreditHistories'\?/
  t.match(complaint, wrong, 'the complaint says what is wrong and where')
  t.match(complaint, '\n> 3 |   - on: listCreditHistory\n    |         ^\n', 'the complaint shows the line')
  t.match(complaint, /good .*stays in use\./, 'the complaint says that the last good version stays')
  await answers(401, 'after a broken edit')
  await write('sc/new.yaml', 'description: as good as new\n')
  await until(() => server.worlds.root.library.find('new')?.description === 'as good as new')
  t.pass('other files still load')
  t.equal(told(), '', 'what has been said is not said again')
  await write('sc/it.yaml', answering(400))
  await answers(400, 'once it is fixed')
  await write('sc/it.yaml', 'rules: {')
  t.match(await until(told), /it\.yaml:1:\d+: /, 'the next mistake is reported')
  await answers(400, 'after the next broken edit')
  await write('sc/it.yaml', '')
  const emptied = /it\.yaml: The file is empty: add rules, or delete it\.\nIts last good version stays in use\./
  await until(() => server.worlds.root.library.find('it')?.rules.length === 1)
  t.match(await until(told), emptied, 'an emptied file is reported')
  await answers(400, 'after the file was emptied')
  await write('sc/it.yaml', 'rules: [{ on: verifyDocument, when: { state: Nowhere } }]')
  t.match(await until(told), /it\.yaml:\d+:\d+: No rule leads to the state 'Nowhere'/, 'what nothing meets is reported')
})

t.test('the list is what is on: an edit of the file makes exactly that on', async (t) => {
  const { place, write, answers, told, did, server } = await watching(t)
  const { playback } = server.worlds.root
  await answers(200, 'at first')
  await write('package.json', '{}')
  await write(CONFIG, 'active: [it]\n')
  const lines = await until(did)
  t.match(lines, /^countersign\.config\.yaml was edited\. On now: it\.\n$/, 'none of those shipped is told of')
  await answers(401, 'once the file lists it')
  playback.activate('verifyDocument:404')
  await replace(join(place, CONFIG), 'active: ["listCreditHistories:400"]\n')
  await answers(400, 'once the file lists an outcome')
  t.same(playback.active, ['listCreditHistories:400'], 'what admin switched on goes off')
  t.match(did(), /countersign\.config\.yaml was edited\. On now: listCreditHistories:400\.\n$/, 'it is told what is on')
  t.same(server.worlds.sandbox('later')?.playback.active, ['listCreditHistories:400'], 'a new sandbox, too')
  await write(CONFIG, 'version: 1\nactve: [it]\n')
  const unknown = `${CONFIG}:2:1: The key 'actve' is unknown. Did you mean 'active'?`
  t.match(await until(told), unknown, 'an unknown key is reported')
  await answers(400, 'after an unknown key')
  await rm(join(place, CONFIG))
  await answers(200, 'once the file is deleted')
  t.equal(told(), '', 'a config file that is deleted is as good as an empty one')
})

t.test('other settings of the config file are taken too', async (t) => {
  const { write, server } = await watching(t)
  const refused = async () => {
    const response = await send(server, listCreditHistories, { query: { extra: '1' } })
    return response.statusCode === 400 && response.json()
  }
  t.notOk(await refused(), 'an unknown parameter is allowed at first')
  await write(CONFIG, 'strict: true\n')
  t.ok(await until(refused), 'it is refused once the file says strict')
})

t.test('an edit of the config file, its list changed or not, is the truth for all that chose nothing', async (t) => {
  const scenario = ['verifyDocument:404']
  const { write, did, server } = await watching(t, { [CONFIG]: 'active: [it]\n' }, { scenario })
  const { worlds } = server
  const on = (name?: string) => (name === undefined ? worlds.root : worlds.sandbox(name))?.playback.active
  const [own, listed] = [worlds.sandbox('own'), ['it', 'verifyDocument:404']]
  t.same([on(), on('calm'), on('own')], [listed, listed, listed], 'the list, and what the option asks for')
  worlds.root.playback.deactivate('it')
  worlds.root.playback.activate('listCreditHistories:400')
  own?.playback.activate('gateway:503')
  await write('notes.json', '{}')
  await write('sc/more.yaml', 'rules: []')
  await until(() => did().includes("The scenario 'more' was added."))
  t.same(on(), ['verifyDocument:404', 'listCreditHistories:400'], 'an edit of another file changes nothing of it')
  await write(CONFIG, 'active: [it]\n# the same list\n')
  await until(() => did().includes('On now: it, verifyDocument:404.'))
  t.same([on(), on('calm')], [listed, listed], 'an edit of the file makes exactly that on, in a sandbox as well')
  t.same(on('own'), [...listed, 'gateway:503'], 'not in one that has switched something itself')
  own?.reset()
  await write(CONFIG, 'active: []\n')
  await until(() => did().includes('On now: verifyDocument:404.'))
  t.same([on(), on('calm'), on('own')], [scenario, scenario, scenario], 'after its reset it follows again')
})

t.test('every unknown name is told with its place, and stops nothing', async (t) => {
  const { write, told, answers } = await watching(t, { [CONFIG]: 'active: [it]\n' })
  await write(CONFIG, 'active:\n  - it\n  - itt\nscenario: gatewy:503\n')
  const complaint = await until(told)
  t.match(complaint, /config\.yaml:3:5: There is no scenario 'itt'\. Did you mean 'it'\?/)
  t.match(complaint, /config\.yaml:4:11: There is no scenario 'gatewy:503'\. Did you mean 'gateway:503'\?/)
  t.match(complaint, /The last good version stays in use\.\n$/)
  await answers(401, 'all the while')
})

t.test('each edit of what needs a restart says so', async (t) => {
  const { write, told, did } = await watching(t, { [CONFIG]: 'seed: 1\n' })
  for (const seed of [2, 3]) {
    await write(CONFIG, `seed: ${seed}\n`)
    await until(() => did().includes('was edited'))
    t.equal(told(), 'A new value of --seed needs a restart.\n', `the seed ${seed}`)
  }
})

t.test('a file that fixtures are to extend may come later', async (t) => {
  const place = folder(t, { 'mine.json': '{ "extends": "default" }' })
  const mine = join(place, 'mine.json')
  const { told, did } = await watching(t, {}, { fixtures: mine })
  await writeFile(mine, '{ "extends": "base/all.json" }')
  t.match(await until(told), /mine\.json:1:14: 'extends' names 'base\/all\.json', which does not exist\./)
  await mkdir(join(place, 'base'))
  await writeFile(join(place, 'base/all.json'), '{ "extends": "default" }')
  t.match(await until(did), /The fixtures were reloaded: \d+ records\./, 'it is read as soon as it is there')
})

t.test('edited fixtures come in under what has changed', async (t) => {
  const place = folder(t, { 'fx/users.json': users('token-a') })
  const { server, told } = await watching(t, {}, { fixtures: join(place, 'fx') })
  const file = join(place, 'fx/users.json')
  const call = async (contract: Contract, token: string) =>
    (await send(server, contract, { headers: { authorization: `Bearer ${token}` } })).statusCode
  t.equal(await call(addOrganizationMember, 'token-a'), 200, 'the first token is known')
  await replace(file, users('token-b'))
  await until(async () => (await call(listCreditHistories, 'token-b')) === 200)
  t.equal(await call(listCreditHistories, 'token-a'), 401, 'the first token is known no more')
  t.equal([...server.worlds.root.state.collection('invitations').all()].length, 1, 'the invitation is still there')
  await writeFile(file, users('token-b', 7))
  const unfit =
    /users\.json:1:\d+: 'organization_id' refers to a record that does not exist: no record of organizations has/
  t.match(await until(told), unfit, 'fixtures that do not fit are told of')
  t.equal(await call(listCreditHistories, 'token-b'), 200, 'the last good ones stay in use')
})

t.test('a complaint that goes to a log in a watched folder does not call for the next one', async (t) => {
  const { write, place, told } = await watching(t)
  await write(CONFIG, 'actve: []\n')
  await until(told)
  for (const _ of [1, 2, 3]) {
    await appendFile(join(place, 'countersign.log'), 'a line\n')
    await new Promise((later) => setTimeout(later, 150))
  }
  t.equal(told(), '', 'nothing more is reported')
})

t.test('what a symbolic link leads to is watched as well', async (t) => {
  const linked = folder(t, { 'sc.yaml': answering(503), conf: 'active: [it]\n', 'fx.json': users('token-a') })
  const fixtures = join(folder(t), 'fx.json')
  const link = (name: string, path: string) => rm(path, { force: true }).then(() => symlink(join(linked, name), path))
  await link('fx.json', fixtures)
  const { answers, place } = await watching(t, {}, { fixtures })
  await link('sc.yaml', join(place, 'sc/it.yaml'))
  await link('conf', join(place, CONFIG))
  await answers(503, 'once links are in their places')
  await writeFile(join(linked, 'sc.yaml'), answering(429))
  await answers(429, 'when the scenario is edited')
  await writeFile(join(linked, 'conf'), 'active: []\n')
  await answers(401, 'when the config is edited, with a token of none')
  await writeFile(join(linked, 'fx.json'), users('token-admin'))
  await answers(200, 'when the fixtures are edited')
})

t.test('a folder of scenarios may go and come back', async (t) => {
  const { place, write, answers, told, did } = await watching(t, { [CONFIG]: 'active: [it]\n' })
  await answers(401, 'at first')
  await rename(join(place, 'sc'), join(place, 'away'))
  await answers(200, 'once the folder is gone')
  t.match(did(), "The scenario 'it' was removed. On now: no scenario.\n", 'what is gone is told')
  const gone = /sc: The scenarios cannot be read: it does not exist\.\nIts scenarios are gone until it is there again\./
  t.match(told(), gone, 'and that the folder is')
  await mkdir(join(place, 'sc'))
  await write('sc/it.yaml', answering(400))
  await answers(400, 'once the folder is back')
})

t.test('the binary watches by default: config, scenarios and fixtures of its working directory', async (t) => {
  const cwd = folder(t, { [CONFIG]: 'fixtures: fx\n', 'fx/users.json': users('token-a') })
  const { url, err } = await serveBinary(t, [], { cwd })
  const status = (token: string) => statusAt(url, token)
  t.equal(await status('token-a'), 200, 'the first fixtures are in use')
  await mkdir(join(cwd, 'scenarios'))
  await writeFile(join(cwd, 'scenarios/it.yaml'), answering(401))
  await writeFile(join(cwd, CONFIG), 'fixtures: fx\nactive: [it]\n')
  await until(async () => (await status('token-a')) === 401)
  await writeFile(join(cwd, 'scenarios/it.yaml'), 'rules: [{ om: x }]\n')
  await until(() => /^scenarios\/it\.yaml:1:11: The key 'om' is unknown\. Did you mean 'on'\?/m.test(err()))
  await writeFile(join(cwd, 'scenarios/it.yaml'), answering(400))
  await until(async () => (await status('token-a')) === 400)
  await writeFile(join(cwd, CONFIG), 'fixtures: fx\n')
  await writeFile(join(cwd, 'fx/users.json'), users('token-b'))
  await until(async () => (await status('token-b')) === 200)
  t.pass('every edit is taken')
})

t.test('--no-watch leaves it alone', async (t) => {
  const cwd = folder(t, { [CONFIG]: 'active: []\n' })
  const { url } = await serve(t, ['--no-watch'], { cwd })
  await writeFile(join(cwd, CONFIG), 'active: ["listCreditHistories:401"]\n')
  await new Promise((later) => setTimeout(later, 300))
  t.equal(await statusAt(url), 200, 'the edit is not taken')
})

t.test('a config file may be made while it runs', async (t) => {
  const cwd = folder(t)
  const { url } = await serve(t, [], { cwd })
  t.equal(await statusAt(url), 200, 'at first nothing is on')
  await writeFile(join(cwd, CONFIG), 'active: ["listCreditHistories:401"]\n')
  await until(async () => (await statusAt(url)) === 401)
  t.pass('what the new file switches on is on')
})
