const organization = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const project = 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'
const subOrganization = '6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60'
const user = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'

/** A client of the API, as an app would have one. */
export function client({ url, token, more = {} }) {
  const call = async (method, path, query, fields) => {
    const headers = { authorization: `Bearer ${token}`, ...more }
    const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, { method, headers, body: form(fields) })
    return { status: response.status, body: await response.json() }
  }
  const user_type = 'ENTERPRISE_API'
  return {
    uploadSignature: () => call('POST', '/client/signature', { user_type }, { file: new Blob(['<svg/>']) }),
    updateSubOrganizationMember: (id, changes) =>
      call('PUT', `/api/v2/sub-organizations/${subOrganization}/members/${id}`, { user_type }, changes),
    verifyDocument: (code) =>
      call('POST', '/api/v2/verifications/document/verify', { user_type }, { code, user_uuid: user }),
    searchProtectedAttachments: (keyword) =>
      call('GET', '/api/v2/projects/protect', { user_type, 'keyword[sample_1]': keyword }),
    listCreditHistories: (page) =>
      call('GET', '/api/v2/credits/histories', { page, per_page: 10, organization_uuid: organization }),
    addOrganizationMember: (email) =>
      call(
        'POST',
        '/api/v2/organization/members/add',
        { user_type },
        {
          'data[0][email]': email,
          'data[0][first_name]': 'Ada',
          'data[0][last_name]': 'Lovelace',
          'data[0][role]': 'Member',
          'data[0][organization_id]': '1',
        },
      ),
    createSigningLink: (email) => call('POST', `/api/v2/projects/${project}/link`, { email }),
  }
}

function form(fields) {
  if (fields === undefined) return undefined
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return body
}
