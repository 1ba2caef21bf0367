import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { contracts } from '../../schemas/contracts.js'
import { addOrganizationMember } from '../../schemas/index.js'
import { adminOf, type Changes, type Server, send } from '../helper.js'
import { acceptsOnlyItsMethod, type ChecksOf, documentedCalls, statusOf, typesOf } from './checks.js'

const invite = (server: Server, form?: Changes['form'], token = 'token-admin') =>
  statusOf(server, addOrganizationMember, { form, headers: { authorization: `Bearer ${token}` } })

async function invitationTo(server: Server, email: string) {
  return (await adminOf(server).state()).invitations.findLast((invitation) => invitation.email === email)
}

export const addOrganizationMemberChecks: ChecksOf<'S6'> = {
  'S6.1': acceptsOnlyItsMethod('addOrganizationMember'),

  'S6.2': async (server, t) => {
    const { fields = [] } = documentedCalls.addOrganizationMember
    const omitted = Object.fromEntries(fields.map(([name]) => [name, undefined]))
    const renamed = (prefix: string): Changes['form'] => ({
      ...omitted,
      ...Object.fromEntries(fields.map(([name, value]) => [name.replace('data[0]', prefix), value])),
    })
    t.equal(await invite(server, renamed('data[0]')), 200, 'the entry is read at index 0')
    t.match(await invitationTo(server, 'ada@example.test'), { first_name: 'Ada' }, 'its member is invited')
    for (const prefix of ['data[1]', 'data', 'data[]'])
      t.equal(await invite(server, renamed(prefix)), 400, `an entry at ${prefix} is not read`)
  },

  'S6.3': async (server, t) => {
    const values = { email: 'mary@example.test', first_name: 'Mary', last_name: 'Ní Bhriain' }
    const form = Object.fromEntries(Object.entries(values).map(([name, value]) => [`data[0][${name}]`, value]))
    for (const name of Object.keys(form))
      t.equal(await invite(server, { ...form, [name]: undefined }), 400, `an invitation without ${name} is refused`)
    t.equal(await invite(server, form), 200, 'an invitation with all three is accepted')
    t.match(await invitationTo(server, values.email), values, 'the invitation has all three')
  },

  'S6.4': async (server, t) => {
    t.equal(await invite(server, { 'data[0][role]': undefined }), 400, 'an invitation without a role is refused')
    for (const role of ['Member', 'Admin']) {
      const email = `${role}@example.test`
      t.equal(await invite(server, { 'data[0][email]': email, 'data[0][role]': role }), 200, `${role}`)
      t.match(await invitationTo(server, email), { role }, `the invitation has the role ${role}`)
    }
  },

  'S6.5': async (server, t) => {
    const into = (id: string | undefined, token?: string) => invite(server, { 'data[0][organization_id]': id }, token)
    t.equal(await into(undefined), 400, 'an invitation without an organization is refused')
    for (const [at, token] of ['token-admin', 'token-other'].entries()) {
      const organization_id = at + 1
      t.equal(await into(`${organization_id}`, token), 200, `${organization_id} is an organization`)
      t.match(await invitationTo(server, 'ada@example.test'), { organization_id }, `invited to ${organization_id}`)
    }
  },

  'S6.6': async (server, t) => {
    const answers = { accept: 'accepted', decline: 'declined' } as const
    for (const [answer, status] of Object.entries(answers) as ['accept' | 'decline', string][]) {
      const email = `${answer}@example.test`
      await invite(server, { 'data[0][email]': email })
      const { links, text } = (await adminOf(server).mails()).find(({ to }) => to === email)!
      t.ok(text.includes(links.accept!) && text.includes(links.decline!), 'the mail has both links')
      t.match(await invitationTo(server, email), { status: 'pending' }, 'the invitation is pending before the answer')
      await server.app.inject({ method: 'POST', url: `${new URL(links[answer]!).pathname}/${answer}` })
      t.match(await invitationTo(server, email), { status }, `the invitation can be ${status} by its link`)
    }
  },

  'S6.7': async (server, t) => {
    const body = (await send(server, addOrganizationMember)).json()
    t.strictSame(typesOf(body), { status: 'string', message: 'string' }, 'the body has these fields')
  },

  'S6.8': async (server, t) => {
    const connections: unknown[] = []
    const count = (message: unknown) => void connections.push(message)
    subscribe('net.client.socket', count)
    t.teardown(() => unsubscribe('net.client.socket', count))
    for (const contract of contracts) {
      t.equal(await statusOf(server, contract), 200, `${contract.id} succeeds`)
      const mails = (await adminOf(server).mails()).map(({ to }) => to)
      const invited = contracts.indexOf(contract) >= contracts.indexOf(addOrganizationMember)
      t.strictSame(mails, invited ? ['ada@example.test'] : [], `after ${contract.id} no other mail is sent`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
    t.equal(connections.length, 0, 'the server opens no connection')
  },
}
