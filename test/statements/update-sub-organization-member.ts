import { updateSubOrganizationMember } from '../../schemas/index.js'
import { adminOf, type Changes, type Server, send } from '../helper.js'
import { acceptsOnlyItsMethod, type ChecksOf, typesOf } from './checks.js'

const ROLES = ['Admin', 'Member']
const OTHER = 'b5e8d3f1-2a6c-4d97-8f40-7e1c9a3b5d26'

function update(server: Server, form: Changes['form'], params?: Changes['params']) {
  const omitted = { first_name: undefined, last_name: undefined, role: undefined }
  return send(server, updateSubOrganizationMember, { form: { ...omitted, ...form }, params })
}

async function memberOf(server: Server, id = 101) {
  return (await adminOf(server).state()).sub_organization_members.find((member) => member.id === id)
}

export const updateSubOrganizationMemberChecks: ChecksOf<'S2'> = {
  'S2.1': acceptsOnlyItsMethod('updateSubOrganizationMember'),

  'S2.2': async (server, t) => {
    const role = 'Admin'
    const inOther = { subOrganizationUuid: OTHER, subOrgMemberId: '202' }
    t.equal((await update(server, { role }, inOther)).statusCode, 200, 'another sub-organization works')
    t.match(await memberOf(server, 202), { sub_organization_uuid: OTHER, role }, 'this member has the new role')
    t.equal((await update(server, { role }, { ...inOther, subOrgMemberId: '101' })).statusCode, 404, 'no such member')
  },

  'S2.3': async (server, t) => {
    const before = await memberOf(server, 101)
    const response = await update(server, { first_name: 'Annika' }, { subOrgMemberId: '102' })
    t.equal(response.json().data.id, 102, 'the answer has the id of the member')
    t.match(await memberOf(server, 102), { first_name: 'Annika' }, 'this member is changed')
    t.strictSame(await memberOf(server, 101), before, 'no other member is changed')
    const word = await update(server, { first_name: 'Annika' }, { subOrgMemberId: 'annika' })
    t.equal(word.statusCode, 404, 'text in place of a number is an unknown member')
  },

  'S2.4': async (server, t) => {
    for (const name of ['first_name', 'last_name']) {
      t.equal((await update(server, { [name]: 'Ní Bhriain' })).statusCode, 200, `${name} may be any text`)
      const without = await send(server, updateSubOrganizationMember, { form: { [name]: undefined } })
      t.equal(without.statusCode, 200, `${name} is optional`)
    }
  },

  'S2.5': async (server, t) => {
    for (const role of ROLES) {
      t.equal((await update(server, { role })).statusCode, 200, `${role} is accepted`)
      t.match(await memberOf(server), { role }, `the role is ${role} now`)
    }
    for (const role of ['Owner', '']) t.equal((await update(server, { role })).statusCode, 400, `'${role}' is refused`)
    t.equal((await update(server, { first_name: 'Aoife' })).statusCode, 200, 'the role is optional')
    t.match(await memberOf(server), { role: 'Member' }, 'another field does not change the role')
  },

  'S2.6': async (server, t) => {
    for (const [name, value] of Object.entries({ role: 'Admin', first_name: 'Aoife', last_name: 'Ní Bhriain' })) {
      const before = await adminOf(server).state()
      await update(server, { [name]: value })
      const sub_organization_members = before.sub_organization_members.map((member) =>
        member.id === 101 ? { ...member, [name]: value } : member,
      )
      t.notSame(sub_organization_members, before.sub_organization_members, `${name} is new`)
      t.strictSame(await adminOf(server).state(), { ...before, sub_organization_members }, `only ${name} changes`)
    }
  },

  'S2.7': async (server, t) => {
    for (const from of ROLES) {
      for (const to of ROLES) {
        await update(server, { role: from })
        const { statusCode } = await update(server, { role: to })
        t.match([statusCode, await memberOf(server)], [200, { role: to }], `${from} can become ${to}`)
      }
    }
  },

  'S2.8': async (server, t) => {
    const body = (await update(server, { first_name: 'Aoife' })).json()
    const data = { id: 'integer', first_name: 'string', last_name: 'string', role: 'string' }
    t.strictSame(typesOf(body), { status: 'string', message: 'string', data }, 'the body has these fields')
    t.match(await memberOf(server), body.data, 'data has the new values of the member')
  },
}
