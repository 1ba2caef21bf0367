import { readFileSync } from 'node:fs'

const user_uuid = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'
const BOUNDARY = '----bench-boundary-0123456789'
const headers = { authorization: 'Bearer token-admin' }
const signature = readFileSync(new URL('../fixtures/files/signature.png', import.meta.url))
const verified = readFileSync(new URL('../fixtures/files/verified.pdf', import.meta.url))

/** The measured requests; `bar` is the lowest ratio to bare Fastify that is good enough, at 1 and at 32 connections. */
export const cases = [
  upload('uploadSignature', 0),
  upload('uploadSignature, 50 KiB', 50 * 1024),
  upload('uploadSignature, 1 MiB', 1024 * 1024),
  form(
    'updateSubOrganizationMember',
    'PUT',
    '/api/v2/sub-organizations/6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60/members/101',
    { first_name: 'Zoë', role: 'Member' },
  ),
  verification('verifyDocument', 0),
  verification('verifyDocument, 1 MiB', 1024 * 1024),
  plain('searchProtectedAttachments', 'GET', '/api/v2/projects/protect', {
    user_type: 'ENTERPRISE_API',
    'keyword[sample_1]': 'lease',
    'keyword[sample_2]': '2025',
  }),
  plain('listCreditHistories', 'GET', '/api/v2/credits/histories', {
    page: '2',
    per_page: '10',
    organization_uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20',
  }),
  invitation({}),
  plain('createSigningLink', 'POST', '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/link', {
    email: 'grace@example.test',
  }),
  { ...plain('401', 'GET', '/api/v2/credits/histories', { page: '1' }), headers: {}, status: 401 },
]

export function caseOf(name) {
  return cases.find((one) => one.name === name)
}

/** An invitation with extra fields; each request has a new address. */
export function invitation(extraFields) {
  const address = 'person-00000000@example.test'
  const invite = form('addOrganizationMember', 'POST', '/api/v2/organization/members/add', {
    'data[0][email]': address,
    'data[0][first_name]': 'Ada',
    'data[0][last_name]': 'Lovelace',
    'data[0][role]': 'Member',
    'data[0][organization_id]': '1',
    ...extraFields,
  })
  const at = invite.body.indexOf('00000000@')
  let sent = 0
  return {
    ...invite,
    /** Changes only the bytes of the address. */
    setupRequest: (request) => {
      sent += 1
      const body = Buffer.from(invite.body)
      body.write(String(sent).padStart(8, '0'), at)
      return { ...request, body }
    },
  }
}

function plain(name, method, path, query) {
  return { name, method, path: `${path}?${new URLSearchParams(query)}`, headers, status: 200, bar: { 1: 0.5, 32: 0.3 } }
}

function form(name, method, path, fields) {
  const parts = Object.entries(fields).map(([field, value]) => part(field, value))
  const body = Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
  const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  return {
    ...plain(name, method, path, { user_type: 'ENTERPRISE_API' }),
    body,
    headers: { ...headers, ...type },
    bar: { 1: 0.5, 32: 0.45 },
  }
}

/** A signature, padded to this size. */
function upload(name, size) {
  const file = { filename: 'signature.png', type: 'image/png', content: padded(signature, size) }
  return withFile(form(name, 'POST', '/client/signature', { file }), size)
}

function verification(name, size) {
  const file = {
    filename: 'verified.pdf',
    type: 'application/pdf',
    content: padded(verified, size, verified.lastIndexOf('startxref')),
  }
  const one = form(name, 'POST', '/api/v2/verifications/document/verify', { file, user_uuid })
  // A padded file differs from the issued document.
  return { ...withFile(one, size), status: size === 0 ? 200 : 404 }
}

/** Large files have a higher bar, because bare Fastify also keeps the file. */
function withFile(one, size) {
  return size === 0 ? one : { ...one, bar: { 1: 0.6, 32: 0.6 } }
}

/** Inserts a PDF comment at `at`; after the end of an image, it has no effect. */
function padded(content, size, at = content.length) {
  const comment = Buffer.from(`%${'x'.repeat(Math.max(0, size - content.length))}\n`)
  return Buffer.concat([content.subarray(0, at), size > 0 ? comment : Buffer.alloc(0), content.subarray(at)])
}

function part(name, value) {
  const disposition = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`
  if (typeof value === 'string') return Buffer.from(`${disposition}\r\n\r\n${value}\r\n`)
  const head = `${disposition}; filename="${value.filename}"\r\ncontent-type: ${value.type}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), value.content, Buffer.from('\r\n')])
}
