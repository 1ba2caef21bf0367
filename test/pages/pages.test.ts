import t from 'tap'
import { addOrganizationMember } from '../../schemas/index.js'
import { adminOf, build, send, stateAndMails } from '../helper.js'

t.test('opening a page changes nothing, and is not in the journal', async (t) => {
  const server = await build(t)
  await send(server, addOrganizationMember)
  const path = new URL((await adminOf(server).mails())[0]?.links.decline as string).pathname
  const before = await stateAndMails(server)
  const headers = { origin: 'https://evil.example' }
  await server.app.inject(path)
  await server.app.inject({ method: 'POST', url: `${path}/decline`, headers })
  t.equal(await stateAndMails(server), before, 'a form of a foreign page changes nothing either')
  t.equal((await adminOf(server).requests()).length, 1)
})

t.test('forms are accepted from pages of this machine and, off loopback, from the same origin', async (t) => {
  const local = ['127.0.0.1:4010', 'localhost:4010', '[::1]:4010', 'app.localhost:4010', 'LOCALHOST:4010']
  const foreign = 'http://evil.example http://localhost.evil.example:4010 http://127.0.0.1.evil.example null x'.split(
    ' ',
  )
  const calls: readonly (readonly [address: string, host: string, origin: string | undefined, status: number])[] = [
    ...['127.0.0.1', '0.0.0.0'].flatMap((address) => [
      ...local.flatMap((host) => [
        [address, host, undefined, 303] as const,
        [address, host, `http://${host}`, 303] as const,
        [address, host, 'http://localhost:5173', 303] as const,
        ...foreign.map((origin) => [address, host, origin, 403] as const),
      ]),
      [address, 'countersign:4010', 'http://localhost:5173', 303] as const,
    ]),
    // DNS rebinding: a foreign name that resolves to this machine.
    ['127.0.0.1', 'evil.example:4010', 'http://evil.example:4010', 403],
    ['127.0.0.1', 'evil.example', 'https://evil.example', 403],
    ['0.0.0.0', 'build-server:4010', 'http://build-server:4010', 303],
    ['0.0.0.0', 'build-server', 'https://build-server', 303],
    ['0.0.0.0', 'build-server:4010', 'http://build-server:5173', 403],
    ['0.0.0.0', 'build-server:4010', 'http://evil.example:4010', 403],
  ]
  const servers = { '127.0.0.1': await build(t), '0.0.0.0': await build(t, { host: '0.0.0.0' }) }
  for (const [address, host, origin, status] of calls) {
    const headers = { host, ...(origin !== undefined && { origin }) }
    const press = { method: 'POST', url: '/invitations/unknown/accept', headers } as const
    const response = await servers[address as keyof typeof servers].app.inject(press)
    const from = origin ?? 'no page'
    t.equal(response.statusCode, status, `listening on ${address}, called as ${host} from ${from}: ${status}`)
  }
})
