// A suite of a client. By its arguments it looks at more or less, or does something else: `red`, `idle`, `differs`,
// `killed`, `collides` with another run, `leaves` a child, `hangs` where the total is one too many.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'

const looks = process.argv.slice(2)
const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token, COUNTERSIGN_ADMIN_URL: admin } = process.env
const headers = { authorization: `Bearer ${token}` }
const organization_uuid = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const at = (path, query) => `${url}${path}?${new URLSearchParams(query)}`

if (looks.includes('idle')) process.exit()
if (looks.includes('red')) {
  console.log('one test fails')
  process.exit(3)
}

if (looks.includes('killed')) process.kill(process.pid, 'SIGKILL')
if (looks.includes('leaves')) {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })
  child.unref()
  writeFileSync('left', String(child.pid))
}
if (looks.includes('collides')) {
  mkdirSync('place')
  await new Promise((later) => setTimeout(later, 500))
  rmdirSync('place')
}

const query = { page: '2', per_page: '3', organization_uuid, order: 'asc' }
const response = await fetch(at('/api/v2/credits/histories', query), { headers })
const page = await response.json()
if (looks.includes('status')) assert.equal(response.status, 200)
if (looks.includes('total')) assert.equal(page.total, 26)
if (looks.includes('hangs') && page.total === 27) setInterval(() => {}, 1_000)
if (looks.includes('page')) assert.deepEqual(page.histories.length, 3)

if (looks.includes('differs') && !existsSync('before')) {
  writeFileSync('before', '')
  await fetch(at('/api/v2/credits/histories', query))
}

if (looks.includes('invite')) {
  const form = new FormData()
  const member = { email: 'ada@example.test', first_name: 'Ada', last_name: 'L', role: 'Member', organization_id: '1' }
  for (const [name, value] of Object.entries(member)) form.set(`data[0][${name}]`, value)
  const init = { method: 'POST', headers, body: form }
  const answer = await fetch(at('/api/v2/organization/members/add', { user_type: 'ENTERPRISE_API' }), init)
  if (looks.includes('status')) assert.equal(answer.status, 200)
  const { messages } = await (await fetch(`${admin}/outbox`)).json()
  if (looks.includes('mail')) assert.equal(messages.length, 1)
}
