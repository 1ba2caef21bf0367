// A user's test suite, which requests every outcome and asserts its status.
import assert from 'node:assert/strict'

const { COUNTERSIGN_URL: url, COUNTERSIGN_ADMIN_URL: admin } = process.env
const { paths } = await (await fetch(`${admin}/openapi.json`)).json()
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, { responses }] of Object.entries(methods)) {
    for (const status of Object.keys(responses ?? {})) {
      const address = `${url}${path.replaceAll(/\{\w+\}/g, '1')}`
      const response = await fetch(address, { method: method.toUpperCase(), headers: { prefer: `code=${status}` } })
      assert.equal(response.status, Number(status))
    }
  }
}
