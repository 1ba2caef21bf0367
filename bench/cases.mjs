import { createHash, randomFillSync } from 'node:crypto'
import { readFileSync } from 'node:fs'

const token = 'token-admin'
const user_uuid = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'
const BOUNDARY = '----bench-boundary-0123456789'

/** PDFs of random bytes: one is in the fixtures. */
const documents = { known: randomPdf('known.pdf'), unknown: randomPdf('unknown.pdf') }

/** What is measured: each operation, the 401, and what is larger. */
export const cases = [
  form('uploadSignature', 'POST', '/client/signature', { file: file('signature.png', 'image/png') }),
  form('uploadSignature, 50 KiB', 'POST', '/client/signature', {
    file: padded('signature.png', 'image/png', 50 * 1024),
  }),
  form(
    'updateSubOrganizationMember',
    'PUT',
    '/api/v2/sub-organizations/6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60/members/101',
    {
      first_name: 'Zoë',
      role: 'Member',
    },
  ),
  form('verifyDocument, code', 'POST', '/api/v2/verifications/document/verify', { code: 'DOC-2025-0001', user_uuid }),
  form('verifyDocument, file', 'POST', '/api/v2/verifications/document/verify', {
    file: file('verified.pdf', 'application/pdf'),
    user_uuid,
  }),
  form('uploadSignature, 1 MiB', 'POST', '/client/signature', {
    file: padded('signature.png', 'image/png', 1024 * 1024),
  }),
  ...['known', 'unknown'].map((what) => ({
    ...form(`verifyDocument, 1 MiB, ${what}`, 'POST', '/api/v2/verifications/document/verify', {
      file: documents[what],
      user_uuid,
    }),
    status: what === 'known' ? 200 : 422,
    options: { fixtures: { extends: 'default', documents: [recordOf(documents.known)] } },
  })),
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
  form('addOrganizationMember', 'POST', '/api/v2/organization/members/add', {
    'data[0][email]': 'ada@example.test',
    'data[0][first_name]': 'Ada',
    'data[0][last_name]': 'Lovelace',
    'data[0][role]': 'Member',
    'data[0][organization_id]': '1',
  }),
  plain('createSigningLink', 'POST', '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/link', {
    email: 'grace@example.test',
  }),
  { ...plain('401', 'GET', '/api/v2/credits/histories', { page: '1' }), headers: {}, status: 401 },
]

function plain(name, method, path, query) {
  const url = `${path}?${new URLSearchParams(query)}`
  return { name, method, path, url, headers: { authorization: `Bearer ${token}` }, body: undefined, status: 200 }
}

export function form(name, method, path, fields) {
  const { headers, ...rest } = plain(name, method, path, { user_type: 'ENTERPRISE_API' })
  const parts = Object.entries(fields).map(([field, value]) => part(field, value))
  const body = Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)])
  return { ...rest, fields, body, headers: { ...headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } }
}

function part(name, value) {
  const disposition = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`
  if (typeof value === 'string') return Buffer.from(`${disposition}\r\n\r\n${value}\r\n`)
  const head = `${disposition}; filename="${value.filename}"\r\ncontent-type: ${value.type}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), value.content, Buffer.from('\r\n')])
}

function file(filename, type) {
  return { filename, type, content: readFileSync(new URL(`../fixtures/files/${filename}`, import.meta.url)) }
}

/** The file with bytes after its end, which images may have. */
function padded(filename, type, size) {
  const { content } = file(filename, type)
  return { filename, type, content: Buffer.concat([content, randomFillSync(Buffer.alloc(size - content.length))]) }
}

function randomPdf(filename) {
  const content = Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    randomFillSync(Buffer.alloc(1024 * 1024)),
    Buffer.from('\n%%EOF\n'),
  ])
  return { filename, type: 'application/pdf', content }
}

function recordOf({ content }) {
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { code: 'BENCH-1', user_uuid, sha256, status: 'verified' }
}
