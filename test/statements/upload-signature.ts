import { createHash } from 'node:crypto'
import { createSigningLink, uploadSignature } from '../../schemas/index.js'
import { adminOf, type Changes, fixtureFile, type Server, send } from '../helper.js'
import { acceptsOnlyItsMethod, type Check, type ChecksOf, statusOf, typesOf } from './checks.js'

const PNG = fixtureFile('signature.png', 'image/png')

async function newestSignature(server: Server) {
  return (await adminOf(server).state()).signatures.at(-1)
}

function keepsOptionalText(name: 'source' | 'uuid' | 'type', text: string): Check {
  return async (server, t) => {
    for (const value of [text, undefined]) {
      t.equal(await statusOf(server, uploadSignature, { form: { [name]: value } }), 200, `${value} is accepted`)
      t.equal((await newestSignature(server))?.[name], value, `${value} is stored`)
    }
  }
}

export const uploadSignatureChecks: ChecksOf<'S1'> = {
  'S1.1': acceptsOnlyItsMethod('uploadSignature'),

  'S1.2': async (server, t) => {
    const upload = (file: NonNullable<Changes['form']>[string]) => statusOf(server, uploadSignature, { form: { file } })
    t.equal(await upload(undefined), 422, 'a missing file is refused')
    t.equal(await upload('a text'), 422, 'text in place of a file is refused')
    t.equal(await upload(fixtureFile('not-an-image.png')), 422, 'a file that is not an image is refused')
    t.equal(await upload(PNG), 200, 'an image is accepted')
    const sha256 = createHash('sha256').update(PNG.content).digest('hex')
    t.match(await newestSignature(server), { sha256, filename: 'signature.png' }, 'the image is stored unchanged')
  },

  'S1.3': async (server, t) => {
    const refusal = await send(server, uploadSignature, { form: { file: fixtureFile('not-an-image.png') } })
    t.match(refusal.body, 'PNG', 'the 422 message recommends PNG')
  },

  'S1.4': keepsOptionalText('source', 'drawn ø'),
  'S1.5': keepsOptionalText('uuid', 'any text'),
  'S1.6': keepsOptionalText('type', 'initials'),

  'S1.7': async (server, t) => {
    const body = (await send(server, uploadSignature)).json()
    t.strictSame(typesOf(body), { status: 'string', message: 'string', signature_id: 'string' }, 'documented fields')
    t.equal(body.signature_id, (await newestSignature(server))?.id, 'signature_id is the id of the stored signature')
  },

  'S1.8': async (server, t) => {
    const as = (token: string): Changes => ({ headers: { authorization: `Bearer ${token}` } })
    await send(server, uploadSignature, as('token-member'))
    const { users } = await adminOf(server).state()
    const caller = users.find(({ token }) => token === 'token-member')
    t.equal((await newestSignature(server))?.user_uuid, caller?.uuid, "the image is in the caller's account")
    const signingPageOf = async (token: string) => {
      const email = `${token}@example.test`
      const { link } = (await send(server, createSigningLink, { ...as(token), query: { email } })).json()
      return (await server.app.inject(new URL(link).pathname)).payload
    }
    const image = `data:image/png;base64,${Buffer.from(PNG.content).toString('base64')}`
    t.ok((await signingPageOf('token-member')).includes(image), "the caller's signing links show the image")
    t.notOk((await signingPageOf('token-admin')).includes(image), "another user's signing links do not")
  },
}
