import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { build } from '../helper.js'

/** Bytes of the page and all that it loads, compressed. */
const MOST = 61_440

t.test('the dashboard is small, and made of nothing but its own files', async (t) => {
  const { app } = await build(t)
  const files = ['', 'dashboard.css', 'dashboard.js']
  const answers = await Promise.all(files.map((file) => app.inject(`/__admin/${file}`)))
  const [page] = answers
  const statuses = answers.map(({ statusCode }) => statusCode)
  t.strictSame(statuses, [200, 200, 200], 'all of it is served')
  const size = answers.reduce((sum, { rawPayload }) => sum + gzipSync(rawPayload).length, 0)
  t.ok(size <= MOST, `it has ${size} bytes compressed`)
  const policy = page?.headers['content-security-policy']
  t.match(policy, /default-src 'none'; style-src 'self'; script-src 'self'/, 'strictly')
  t.notMatch(page?.body, /<style|style=|<script>|https?:/, 'the page has no style and no script in it')
  for (const { body } of answers)
    t.notMatch(body, /https?:\/\/(?!www\.w3\.org\/|json-schema\.org\/|countersign\.example\/)/, 'no other place')
})

t.test('no text becomes markup or a program', async (t) => {
  const room = fileURLToPath(new URL('../../src/dashboard/', import.meta.url))
  for (const file of readdirSync(room, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue
    const text = readFileSync(`${room}${file}`, 'utf8')
    t.notMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/i, file)
  }
})
