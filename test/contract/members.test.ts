import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import { addOrganizationMember, updateSubOrganizationMember } from '../../schemas/index.js'
import { isFile, SINGLE_LINE } from '../../src/engine/contract/fields.js'
import { adminOf, build, type Changes, contracts, messageOf, type Server, send } from '../helper.js'

t.test('a member update gets 404 if the sub-organization has no such member', async (t) => {
  const server = await build(t)
  const form = { first_name: undefined, last_name: undefined, role: undefined }
  const update = async (params: Changes['params']) => {
    const response = await send(server, updateSubOrganizationMember, { form, params })
    return response.statusCode === 200 ? response.json().data : response.statusCode
  }
  for (const subOrgMemberId of ['201', '0101', '101.0', '1e2', '+101', '-101', ' 101', '9'.repeat(40)])
    t.equal(await update({ subOrgMemberId }), 404, `there is no member '${subOrgMemberId}'`)
  for (const subOrganizationUuid of ['nonsense', '00000000-0000-4000-8000-000000000000', '__proto__'])
    t.equal(await update({ subOrganizationUuid }), 404, `there is no '${subOrganizationUuid}'`)
  const subOrganizationUuid = '6D9B7A52-41C3-4E0F-8A75-1C2E3D4F5A60'
  t.match(await update({ subOrganizationUuid }), { id: 101 }, 'the UUID may be in upper case')
})

t.test('an invitation', async (t) => {
  const ADA = 'ada@example.test'
  const invite = async (server: Server, form: Record<string, string> = {}, token = 'token-admin') => {
    const fields = Object.fromEntries(Object.entries(form).map(([name, value]) => [`data[0][${name}]`, value]))
    const headers = { authorization: `Bearer ${token}` }
    const response = await send(server, addOrganizationMember, { form: fields, headers })
    return { status: response.statusCode, message: messageOf(response) }
  }
  const invitationsOf = async (server: Server) =>
    (await adminOf(server).state()).invitations.filter((one) => one.email.toLowerCase() === ADA)

  t.test('inviting a person again, in any letter case, sends another mail for the same invitation', async (t) => {
    const server = await build(t)
    for (const email of [ADA, 'Ada@Example.Test', 'ADA@EXAMPLE.TEST'])
      t.match(await invite(server, { email }), { status: 200 }, `${email} is invited`)
    const [mails, invitations] = [await adminOf(server).mails(ADA), await invitationsOf(server)]
    t.match([mails.length, invitations.length], [3, 1], 'by three mails')
  })

  t.test('inviting a member is a conflict, in any letter case, and only in that organization', async (t) => {
    const server = await build(t)
    for (const email of ['li.jun@example.test', 'LI.JUN@example.test', 'thanh.nguyen@example.test'])
      t.match(await invite(server, { email }), { status: 409, message: `'${email}' is already a member` }, email)
    t.same(await adminOf(server).mails(), [], 'no mail is sent')
    const elsewhere = { email: 'li.jun@example.test', organization_id: '2' }
    t.match(await invite(server, elsewhere, 'token-other'), { status: 200 }, 'another organization may invite them')
  })

  t.test('an accepted invitation makes a member, with the role in its documented spelling', async (t) => {
    const server = await build(t)
    await invite(server, { role: 'aDMIN' })
    const [invitation] = await invitationsOf(server)
    const accepted = await adminOf(server).call('POST', `invitations/${invitation?.id}/accept`)
    t.match(accepted.json(), { status: 'accepted', role: 'Admin' }, 'the invitation')
    const member = { email: ADA, role: 'Admin', organization_id: 1 }
    t.match((await adminOf(server).state()).organization_members.at(-1), member, 'the member')
  })

  t.test('an invitation to another organization is invalid, and the message has the right one', async (t) => {
    const server = await build(t)
    for (const organization_id of ['2', '77', '01', '1.0', ' 1', '-1', 'nonsense']) {
      const invalid = { status: 400, message: `'${organization_id}'. Yours: 1.` }
      t.match(await invite(server, { organization_id }), invalid, `'${organization_id}' is invalid`)
    }
  })

  t.test('an invitation needs a valid e-mail address', async (t) => {
    const server = await build(t)
    const local = 'l'.repeat(64)
    for (const email of ['a+tag@b.test', "o'hara@b.test", 'жанна@пример.рф', `${local}@b.test`, 'root@localhost'])
      t.match(await invite(server, { email }), { status: 200 }, `${email} is accepted`)
    const invalid = ['ada', '@example.test', 'a@', 'a@@b', 'a@b@c', '.a@b.test', 'a.@b.test', 'a@b..test', 'a@.b']
    const spaced = ['a b@example.test', ' a@example.test', 'a@example.test ', 'Ada <a@example.test>']
    for (const email of [...invalid, ...spaced, 'a@example.test, b@example.test', `${local}l@b.test`])
      t.match(await invite(server, { email }), { status: 400 }, `'${email}' is invalid`)
  })
})

t.test('control characters are invalid in names, codes and addresses', async (t) => {
  const server = await build(t)
  const controls = ['\u0000', '\n', '\r\nBcc: eve@example.test', '\u001b', '\u007f', '\u0085']
  for (const contract of contracts) {
    for (const part of ['query', 'form'] as const) {
      for (const [name, schema] of Object.entries<TSchema>(contract[part]?.properties ?? {})) {
        const guarded = !isFile(schema) && (schema.pattern === SINGLE_LINE || schema.format !== undefined)
        for (const control of guarded ? controls : []) {
          const response = await send(server, contract, { [part]: { [name]: `${schema.examples[0]}${control}` } })
          const label = `${contract.id} with ${encodeURIComponent(control).slice(0, 9)} in ${name}`
          t.equal(response.statusCode, contract.invalidStatus, `${label} is invalid`)
          t.notMatch(messageOf(response), /[\u0000-\u001f\u007f-\u009f]/, `${label}: the message shows it escaped`)
        }
      }
    }
  }
  t.same(await adminOf(server).mails(), [], 'no invalid request sends a mail')
})
