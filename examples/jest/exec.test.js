const { connect } = require('countersign')

// Under `countersign exec`, all workers share a server: each uses its own sandbox.
const { COUNTERSIGN_ADMIN_URL: adminUrl, JEST_WORKER_ID: worker } = process.env
const underExec = adminUrl === undefined ? test.skip : test

underExec('a worker uses its sandbox of the server that countersign exec started', async () => {
  const mock = await connect(adminUrl)
  const sandbox = await mock.sandbox(`jest-${worker}`)
  await sandbox.reset()
  await sandbox.scenarios.activate('createSigningLink:500')
  const path = '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/link?email=ada%40example.test'
  const response = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.token}` },
  })
  expect(response.status).toBe(500)
  expect(await sandbox.requests({ operation: 'createSigningLink' })).toHaveLength(1)
  await mock.close()
})
