import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { cases, form } from '../cases.mjs'
import { headOf, Pool } from './connections.mjs'

const KIB = 1024
const MIB = 1024 * KIB

/** The server's --body-limit: above every upload of bench/cases.mjs, so that those are taken. */
export const BODY_LIMIT = 2 * MIB
/** What is refused: ten times the limit, and what the bars of the design speak of. */
const REFUSED_SIZE = 20 * MIB
/** What an upload that is broken off had said it would send, and what it has sent by then. */
const [ABORTED_SIZE, SENT_SIZE] = [BODY_LIMIT / 2, BODY_LIMIT / 4]
/** Milliseconds that the server has to take in what was sent before the connection breaks. */
const BEFORE_BREAK = 20
/** Text in a form: nearly all that a journal keeps of one body. */
const LARGE_TEXT = 'x'.repeat(14 * KIB)
/** The worlds that journals are filled in: so many that each forgets in its turn when there are too many exchanges. */
const WORLDS = 100
/** Readers asleep at once; the server takes 256. */
const SLEEPERS = 64
/** Connections that hang at once, of each of two kinds. */
const HUNG = 1_000
/** Waits for a mail at once, and how long each says that it would wait, in milliseconds. */
const [WAITS, LONG_WAIT] = [300, 100_000]
/** Mixed requests after which their world begins anew, since uploads add records that are meant to be kept. */
const MIXED_BEFORE_RESET = 2_000
/** Names of 2 KiB, so that the state file outgrows its contents (by 4 MiB) several times in a phase. */
const LONG_NAME = 'n'.repeat(2 * KIB)
/** Bytes of the state file: what its contents take twice, the 4 MiB that may be appended, and one write of 8 at once. */
const LARGEST_FILE = 5 * MIB

/** All bytes of every refused body: made once, and the same for all. */
const refusedBody = Buffer.alloc(REFUSED_SIZE, 'x')
const sentPart = Buffer.alloc(SENT_SIZE, 'x')

const upload = cases.find(({ name }) => name === 'uploadSignature')
const update = cases.find(({ name }) => name === 'updateSubOrganizationMember')
const histories = cases.find(({ name }) => name === 'listCreditHistories')
const invite = cases.find(({ name }) => name === 'addOrganizationMember')
/** With a text that the operation does not read, but the journal keeps. */
const largeInvite = form(invite.name, invite.method, invite.path, { ...invite.fields, note: LARGE_TEXT })
/** More keys and more files than a journal keeps of one exchange. */
const manyKeys = {
  ...histories,
  url: `${histories.url}&${Array.from({ length: 700 }, (_, at) => at.toString(36)).join('&')}`,
}
const manyFiles = {
  ...upload,
  headers: { ...upload.headers, 'content-type': 'multipart/form-data; boundary=B' },
  body: Buffer.from(
    `${'--B\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\nx\r\n'.repeat(200)}--B--\r\n`,
  ),
}

const mixed = {
  name: 'mixed requests',
  workers: 8,
  least: 5_000,
  begin: ({ send }) => ({
    async turn(at) {
      const one = cases[at % cases.length]
      expect(one.status, await send({ ...one, url: `/~mixed${one.url}` }))
      if (at % MIXED_BEFORE_RESET === 0) await send({ method: 'POST', url: '/~mixed/__admin/reset' })
    },
  }),
}

/** What comes first and is not judged: code is compiled, and memory finds its level. */
export const warmUp = { ...mixed, name: 'warm-up' }

/**
 * What is done to a server that keeps its state in that file, one after the other. `begin` returns the `turn` that
 * `workers` do over and over until the time is up, with a pause of so many milliseconds; how the load is taken away at
 * its `end`; what to `release` when all must have come back; and a `complaint` about something else, if there is one.
 * With fewer turns than `least` in a minute, a phase has shown nothing.
 */
export const phasesWith = (stateFile) => [
  mixed,
  {
    name: 'uploads over the limit',
    workers: 4,
    least: 100,
    begin: ({ send }) => ({
      async turn(at) {
        // By turns with a length, which is refused by the head, and without, which is refused by what arrives.
        const length = at % 2 === 0 ? { 'content-length': REFUSED_SIZE } : { 'transfer-encoding': 'chunked' }
        expect(413, await send({ ...upload, headers: { ...upload.headers, ...length }, body: refusedBody }))
      },
    }),
  },
  {
    name: 'aborted uploads',
    workers: 8,
    least: 1_000,
    begin: ({ open }) => {
      const { headers, url, method, body } = upload
      const head = headOf(method, url, { ...headers, 'content-length': ABORTED_SIZE })
      const beginning = body.subarray(0, body.length / 2)
      return {
        async turn() {
          const socket = await open(`${head}\r\n`)
          socket.write(beginning)
          socket.write(sentPart)
          await sleep(BEFORE_BREAK)
          socket.destroy()
        },
      }
    },
  },
  {
    name: 'sandboxes that come and go',
    workers: 8,
    // The server keeps 1,000: more than twice as many come, even in a phase of ten seconds.
    least: 15_000,
    begin: ({ send }) => ({
      async turn(at) {
        expect(200, await send({ ...invite, url: `/~soak-${at}${invite.url}` }))
      },
    }),
  },
  {
    name: 'sleeping readers of events',
    workers: 4,
    least: 1_000,
    begin: ({ open, send, port }) => {
      const pool = new Pool(SLEEPERS)
      const head = headOf('GET', '/__admin/events', { host: `127.0.0.1:${port}` })
      return {
        async turn(at) {
          if (at % 4 === 0) pool.add(await open(`${head}\r\n`, { sleeps: true }))
          expect(200, await send(largeInvite))
        },
        end: () => pool.end(),
      }
    },
  },
  {
    name: 'connections that hang',
    workers: 4,
    pause: 8,
    least: 5_000,
    begin: ({ open }) => {
      const unanswered = new Pool(HUNG)
      const halfSent = new Pool(HUNG)
      const { method, url, headers } = histories
      const whole = `${headOf(method, url, { ...headers, prefer: 'fault=TIMEOUT' })}\r\n`
      const half = headOf(method, url, headers)
      return {
        async turn() {
          unanswered.add(await open(whole))
          halfSent.add(await open(half))
        },
        // What has sent half a head is left to the server, which must break it off by itself.
        end: () => unanswered.end(),
        release: () => halfSent.end(),
      }
    },
  },
  {
    name: 'abandoned waits for mail',
    workers: 4,
    pause: 1,
    least: 5_000,
    begin: ({ open, port }) => {
      const pool = new Pool(WAITS)
      const url = `/__admin/outbox?to=nobody%40example.test&wait=${LONG_WAIT}`
      const head = headOf('GET', url, { host: `127.0.0.1:${port}` })
      return { turn: async () => pool.add(await open(`${head}\r\n`)), end: () => pool.end() }
    },
  },
  {
    name: 'journals with large bodies',
    workers: 8,
    // The journals may keep 20,000 exchanges in all.
    least: 20_000,
    begin: ({ send }) => ({
      async turn(at) {
        expect(200, await send({ ...largeInvite, url: `/~large-${at % WORLDS}${largeInvite.url}` }))
      },
    }),
  },
  {
    name: 'journals with many items',
    workers: 4,
    // What costs little to send, and much to keep.
    least: 10_000,
    begin: ({ send }) => ({
      async turn(at) {
        const [status, one] = at % 2 === 0 ? [200, manyKeys] : [422, manyFiles]
        expect(status, await send({ ...one, url: `/~many-${at % WORLDS}${one.url}` }))
      },
    }),
  },
  {
    name: 'persisted writes',
    workers: 8,
    least: 10_000,
    begin: ({ send }) => ({
      async turn(at) {
        const fields = { first_name: `${at}${LONG_NAME}`, role: 'Member' }
        expect(200, await send(form(update.name, update.method, update.path, fields)))
      },
      complaint() {
        const { size } = statSync(stateFile)
        return size > LARGEST_FILE ? `the state file has ${size} bytes; at most ${LARGEST_FILE} may be` : undefined
      },
    }),
  },
]

function expect(status, answer) {
  if (answer.status !== status) throw new Error(`wanted ${status}, got ${answer.status} ${answer.text.slice(0, 200)}`)
}

/** Leaves a server with nothing but its fixtures: no sandboxes, no changes, an empty journal. */
export async function forgetAll({ send }) {
  const { text } = await send({ method: 'GET', url: '/__admin/sandboxes' })
  for (const { name } of JSON.parse(text).sandboxes) await send({ method: 'DELETE', url: `/__admin/sandboxes/${name}` })
  expect(200, await send({ method: 'POST', url: '/__admin/reset' }))
}
