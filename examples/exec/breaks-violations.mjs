// JSON where the API document says multipart/form-data: --fail-on violations finds it.
const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
await fetch(`${url}/api/v2/organization/members/add?user_type=ENTERPRISE_API`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ data: [{ email: 'ada@example.test' }] }),
})
