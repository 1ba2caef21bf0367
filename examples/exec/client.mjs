/** A client of the API, as an app would have one. */
export function client({ url, token }) {
  const headers = { authorization: `Bearer ${token}` }
  return {
    credits: (page) =>
      fetch(
        `${url}/api/v2/credits/histories?${new URLSearchParams({ page, per_page: 10, organization_uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20' })}`,
        { headers },
      ),
    search: (keyword) =>
      fetch(
        `${url}/api/v2/projects/protect?${new URLSearchParams({ user_type: 'ENTERPRISE_API', 'keyword[sample_1]': keyword })}`,
        { headers },
      ),
    link: (project, email, more = {}) =>
      fetch(`${url}/api/v2/projects/${project}/link?${new URLSearchParams({ email })}`, {
        method: 'POST',
        headers: { ...headers, ...more },
      }),
  }
}
