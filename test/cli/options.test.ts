import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { isLive, type OptionName } from '../../schemas/config.js'
import { readConfig } from '../../src/server/config-file.js'
import { createServer } from '../../src/server/create-server.js'
import { InvalidOption } from '../../src/server/invalid-option.js'
import {
  decodeOption,
  environmentOf,
  flagOf,
  optionNames,
  optionTable,
  readEnvironment,
} from '../../src/server/options.js'
import { resolveSettings } from '../../src/server/settings.js'
import { folder, until } from '../binary.js'

t.test('every option says what it is for, and has a default where it must have a value', async (t) => {
  const settings = resolveSettings({}, {}, { file: undefined, config: {} })
  for (const name of optionNames) {
    t.type(optionTable[name].description, 'string', `${name} has a description`)
    const optional = Object.getOwnPropertySymbols(optionTable[name]).some((symbol) => /Optional/.test(String(symbol)))
    if (!optional) t.not(settings[name], undefined, `${name} has a default`)
  }
})

t.test('booleans and numbers mean what they say, by flag and by environment', async (t) => {
  for (const name of optionNames.filter((name) => optionTable[name].type === 'boolean')) {
    for (const [text, value] of Object.entries({ true: true, 1: true, false: false, 0: false })) {
      t.equal(decodeOption(name, text, ''), value, `--${flagOf(name)}=${text} is ${value}`)
      t.same(readEnvironment({ [environmentOf(name)]: text }), { [name]: value }, `${environmentOf(name)}=${text}`)
    }
    for (const text of ['yes', 'TRUE', 'on', '2', '-1', ' true', 'truefalse'])
      t.throws(() => decodeOption(name, text, ''), InvalidOption, `--${flagOf(name)}=${text} is refused`)
  }
  for (const name of optionNames.filter((name) => optionTable[name].type === 'integer')) {
    for (const text of ['1e3', '0x10', '+1', '1.5', '1_000', '', ' 1', 'NaN', '99999999999999999999'])
      t.throws(() => decodeOption(name, text, ''), InvalidOption, `--${flagOf(name)}=${text} is refused`)
    t.equal(decodeOption(name, '1000', ''), 1_000, `--${flagOf(name)}=1000 is a number`)
  }
})

/** Other values of the options that need a restart, as a config file has them. */
const others: Partial<Record<OptionName, unknown>> = {
  port: 4_321,
  host: '127.0.0.2',
  tlsCert: 'cert.pem',
  tlsKey: 'key.pem',
  seed: 'other',
  clock: '2026-01-15T09:30:00Z',
  persist: 'state.json',
  smtp: 'smtp://127.0.0.1:1',
  bodyLimit: 10,
  journalSize: 10,
  adminToken: 'other',
  watch: false,
}

t.test('an edited option that needs a restart is reported, and changes nothing', async (t) => {
  const place = folder(t, { 'countersign.config.yaml': 'port: 0\n' })
  const read = async () => resolveSettings({}, {}, await readConfig(undefined, place), place)
  const reports: string[] = []
  const server = await createServer(await read(), { notify: (text) => reports.push(text), rereadSettings: read })
  t.teardown(() => server.close())
  await server.listen()
  const before = { ...server.worlds.shared.settings }
  const fixed = optionNames.filter((name) => !isLive(name) && name !== 'config')
  t.strictSame(Object.keys(others).sort(), [...fixed].sort(), 'every such option has another value here')
  const text = Object.entries(others).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
  await writeFile(join(place, 'countersign.config.yaml'), text.join(''))
  await until(() => reports.length >= fixed.length)
  for (const name of fixed) {
    t.ok(reports.includes(`A new value of --${flagOf(name)} needs a restart.`), `--${flagOf(name)} is reported`)
    t.equal(server.worlds.shared.settings[name], before[name], `--${flagOf(name)} is as it was`)
  }
})

t.test('an IPv6 address may stand in brackets, as URLs have it', async (t) => {
  const hostOf = (host: string) => resolveSettings({ host }, {}, { file: undefined, config: {} }).host
  t.same(['[::1]', '::1', 'localhost'].map(hostOf), ['::1', '::1', 'localhost'])
})
