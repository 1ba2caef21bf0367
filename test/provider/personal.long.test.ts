import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { run } from '../command-line.js'
import { build } from '../helper.js'
import { mutatingProvider } from './mutating-provider.js'
import { TOKEN } from './stub.js'

const PERSONAL = [
  'Ada Lovelace',
  'Lovelace',
  'ada.lovelace@corp.example',
  'sk_live_51H8xQ2eZvKYlo2C',
  'token-admin',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  '+45 12 34 56 78',
  'DE89370400440532013000',
  '12 Harbour Street, Copenhagen',
]

t.test('what is personal never gets in, wherever it stands', async (t) => {
  let at = 0
  const spoilt = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => spoilt(one))
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(([name, one]) => [name, spoilt(one, name)])
      const extra = PERSONAL.map((one, nth) => (nth % 2 === 0 ? [one, { [one]: one }] : [`field_${nth}`, [one, one]]))
      return Object.fromEntries([...entries, ...extra])
    }
    if (typeof value !== 'string') return value
    // What the provider is recognized by stays.
    return /^(?:id|signature_id|organization_uuid|created_at|verified_at|link)$/.test(key)
      ? value
      : PERSONAL[at++ % PERSONAL.length]
  }
  const provide = await mutatingProvider(t, await build(t, { journalSize: 1 }))
  for (const which of ['all', 'words'] as const) {
    const url = provide({
      name: 'personal',
      cites: ['S0.5'],
      tell: (told) => {
        if (which === 'all') told.body = spoilt(told.body)
        // One name in the place of every word, the same each time.
        else if ('status' in told.body || 'message' in told.body)
          Object.assign(told.body, { status: 'Lovelace', message: 'Lovelace was here.', kind: 'Ada Lovelace' })
        told.headers['content-type'] = `application/json; profile="${PERSONAL[2]}"`
      },
    })
    const folder = t.testdir({})
    const target = ['--target', url, '--token', TOKEN, '--allow-writes']
    for (const [command, option, name] of [
      ['verify', '--record', 'snap.yaml'],
      ['verify', '--record', 'snap.json'],
      ['learn', '--out', 'learned.yaml'],
    ] as const) {
      const file = join(folder, name)
      await run(t, [command, ...target, option, file])
      const text = readFileSync(file, 'utf8')
      for (const one of PERSONAL) t.notOk(text.includes(one), `${which}: ${name} has no ${one}`)
      t.notMatch(text, /example\.test|Vestergaard|DOC-2025|vault|Harbour|Lease|REF-/, 'nothing of the records')
    }
  }
})
