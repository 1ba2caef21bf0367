import { verifyDocument } from '../../schemas/index.js'
import { adminOf, type Changes, fixtureFile, type Server, send } from '../helper.js'
import { acceptsOnlyItsMethod, type ChecksOf, typesOf } from './checks.js'

const USER = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'
const OTHER_USER = '7c2d9e41-6a5b-4f38-8e17-2b9c0d1f3a64'
const PDF = fixtureFile('verified.pdf', 'application/pdf')
const CODE = 'DOC-2025-0001'

function verify(server: Server, form: Changes['form']) {
  return send(server, verifyDocument, { form: { file: undefined, code: undefined, user_uuid: USER, ...form } })
}

export const verifyDocumentChecks: ChecksOf<'S3'> = {
  'S3.1': acceptsOnlyItsMethod('verifyDocument'),

  'S3.2': async (server, t) => {
    t.match((await verify(server, { file: PDF })).json(), { document: { code: CODE } }, 'a PDF is recognised')
    const second = await verify(server, { file: fixtureFile('verified-second.pdf') })
    t.equal(second.json().document.code, 'DOC-2025-0002', 'another PDF is another document')
    for (const name of ['not-a-pdf.pdf', 'signature.png'])
      t.equal((await verify(server, { file: fixtureFile(name) })).statusCode, 400, `${name} is refused`)
    t.equal((await verify(server, { code: CODE })).statusCode, 200, 'the file is optional with a code')
  },

  'S3.3': async (server, t) => {
    const vault = (await adminOf(server).state()).documents.filter(
      ({ user_uuid, status }) => user_uuid === USER && status === 'verified',
    )
    t.ok(vault.length > 1, 'the vault has documents')
    for (const { code } of vault)
      t.equal((await verify(server, { code })).json().document.code, code, `${code} finds its document`)
    t.equal((await verify(server, { code: 'no such code' })).statusCode, 404, 'an unknown code finds no document')
    t.equal((await verify(server, { file: PDF })).statusCode, 200, 'the code is optional with a file')
  },

  'S3.4': async (server, t) => {
    t.equal((await verify(server, {})).statusCode, 400, 'a request without file and code is refused')
    for (const form of [{ file: PDF }, { code: CODE }, { file: PDF, code: CODE }])
      t.equal((await verify(server, form)).statusCode, 200, `${Object.keys(form).join(' and ')}`)
  },

  'S3.5': async (server, t) => {
    const by = (user_uuid: string | undefined) => verify(server, { code: CODE, user_uuid })
    t.equal((await by(undefined)).statusCode, 400, 'a request without a user is refused')
    t.equal((await by('nobody')).statusCode, 400, 'a text that is not a UUID is refused')
    t.equal((await by(USER)).json().document.user_uuid, USER, "user_uuid is the document's user")
    t.not((await by(OTHER_USER)).statusCode, 200, "another user's UUID does not verify the document")
  },

  'S3.6': async (server, t) => {
    const document = { code: 'string', user_uuid: 'string', verified_at: 'string' }
    for (const form of [{ file: PDF }, { code: CODE }]) {
      const types = typesOf((await verify(server, form)).json())
      t.strictSame(types, { status: 'string', message: 'string', document }, `verified by ${Object.keys(form)}`)
    }
  },

  'S3.7': async (server, t) => {
    for (const form of [{ file: PDF }, { code: CODE }, { file: PDF, code: CODE }])
      t.equal((await verify(server, form)).json().status, 'verified', `verified by ${Object.keys(form)}`)
    t.equal((await verify(server, { code: 'DOC-2025-0006' })).statusCode, 422, 'another status is not verified')
  },
}
