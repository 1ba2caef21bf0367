/** A client of the API, as an app would have one. */
export function client({ url, token }) {
  const headers = { authorization: `Bearer ${token}` }
  return {
    async credits(page) {
      const query = new URLSearchParams({
        page,
        per_page: 10,
        organization_uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20',
      })
      const response = await fetch(`${url}/api/v2/credits/histories?${query}`, { headers })
      const body = await response.json()
      if (!response.ok) throw new Error(`${body.error.code}: ${body.error.message}`)
      return body
    },
    invite(email) {
      const form = new FormData()
      const member = { email, first_name: 'Ada', last_name: 'Lovelace', role: 'Member', organization_id: '1' }
      for (const [name, value] of Object.entries(member)) form.set(`data[0][${name}]`, value)
      const path = '/api/v2/organization/members/add?user_type=ENTERPRISE_API'
      return fetch(`${url}${path}`, { method: 'POST', headers, body: form })
    },
  }
}
