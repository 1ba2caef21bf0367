// A path that is nearly right: --fail-on unmatched finds it.
const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
await fetch(`${url}/api/v2/credit/histories`, { headers: { authorization: `Bearer ${token}` } })
