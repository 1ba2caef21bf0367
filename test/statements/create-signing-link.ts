import { createSigningLink } from '../../schemas/index.js'
import { adminOf, type Changes, type Server, send } from '../helper.js'
import { acceptsOnlyItsMethod, type ChecksOf, documentedCalls, sendCall, statusOf } from './checks.js'

const PROJECTS = ['a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11', 'f1c7b9e3-8d42-4a56-9b0e-5c3d7a1f6e28'] as const
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

function linkIn(body: object): string {
  return Object.values(body).find((value) => /^https?:/.test(String(value)))
}

async function linkFor(server: Server, uuid: string, email: string, token = 'token-admin'): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  return linkIn((await send(server, createSigningLink, { params: { uuid }, query: { email }, headers })).json())
}

async function pageAt({ app }: Server, link: string): Promise<string> {
  return (await app.inject(new URL(link).pathname)).payload
}

const failures: Readonly<Record<string, Changes>> = {
  'an invalid UUID': { params: { uuid: 'nonsense' } },
  'a missing e-mail': { query: { email: undefined } },
  'an unknown project': { params: { uuid: UNKNOWN } },
  'a missing token': { headers: { authorization: undefined } },
}

export const createSigningLinkChecks: ChecksOf<'S7'> = {
  'S7.1': acceptsOnlyItsMethod('createSigningLink'),

  'S7.2': async (server, t) => {
    const { projects, users } = await adminOf(server).state()
    for (const { uuid, user_uuid, name } of projects) {
      const owner = users.find((user) => user.uuid === user_uuid)
      const link = await linkFor(server, uuid, 'grace@example.test', owner?.token)
      t.match(await pageAt(server, link), name, `the link is for the project '${name}'`)
    }
    for (const uuid of ['', 'nonsense', UNKNOWN])
      t.match(await statusOf(server, createSigningLink, { params: { uuid } }), /^4/, `'${uuid}' is refused`)
  },

  'S7.3': async (server, t) => {
    for (const email of ['grace@example.test', 'alan@example.test'])
      t.match(await pageAt(server, await linkFor(server, PROJECTS[0], email)), email, `the link is for ${email}`)
    t.match(await statusOf(server, createSigningLink, { query: { email: undefined } }), /^4/, 'an e-mail is required')
    for (const email of ['', 'nobody'])
      t.match(await statusOf(server, createSigningLink, { query: { email } }), /^4/, `'${email}' is refused`)
    const inBody = { query: '', fields: [['email', 'grace@example.test']] } as const
    const { statusCode } = await sendCall(server, { ...documentedCalls.createSigningLink, ...inBody })
    t.match(statusCode, /^4/, 'an e-mail in the body is ignored')
  },

  'S7.4': async (server, t) => {
    const response = await send(server, createSigningLink)
    t.equal(response.statusCode, 200, 'the status is 200')
    t.match(response.headers['content-type'], /^application\/json\b/, 'the body is JSON')
    const link = linkIn(response.json())
    t.equal((await server.app.inject(new URL(link).pathname)).statusCode, 200, 'the body has a link that works')
    t.ok(Object.keys(response.json()).length > 1, 'the body has related metadata')
  },

  'S7.5': async (server, t) => {
    const links: string[] = []
    for (const uuid of PROJECTS) {
      for (const email of ['grace@example.test', 'alan@example.test']) {
        const link = await linkFor(server, uuid, email)
        t.equal(await linkFor(server, uuid, email), link, `${email} and ${uuid} keep their link`)
        links.push(link)
      }
    }
    t.equal(new Set(links).size, 4, 'each project and recipient has its own link')
  },

  'S7.6': async (server, t) => {
    for (const [mistake, changes] of Object.entries(failures)) {
      const response = await send(server, createSigningLink, changes)
      t.match(response.statusCode, /^[45]\d\d$/, `${mistake} is answered 4xx or 5xx`)
      t.type(response.json().error, 'object', `the answer to ${mistake} has an error object`)
    }
  },
}
