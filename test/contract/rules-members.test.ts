import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import { isFile, NO_CONTROL_CHARACTERS } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { addOrganizationMember, updateSubOrganizationMember } from '../../schemas/index.js'
import { defaultReadings } from '../../schemas/readings.js'
import { answerInvitation } from '../../src/operations/invitation.js'
import type { Server } from '../../src/server/create-server.js'
import { build, type Changes, messageOf, send } from '../helper.js'

t.test('a member update', async (t) => {
  const server = await build(t)
  const nothing = { first_name: undefined, last_name: undefined, role: undefined }
  const update = async (form: Changes['form'], more: Changes = {}) => {
    const response = await send(server, updateSubOrganizationMember, { form: { ...nothing, ...form }, ...more })
    return response.statusCode === 200 ? response.json().data : response.statusCode
  }
  const seeded = { id: 101, first_name: 'Zoë', last_name: "O'Connor", role: 'Member' }

  t.test('changes only the fields that are sent, and the next call sees it', async (t) => {
    t.same(await update({}), seeded, 'an update without fields changes nothing')
    t.same(await update({ first_name: 'Aoife' }), { ...seeded, first_name: 'Aoife' }, 'the first name is changed')
    t.same(
      await update({ last_name: 'Ní Bhriain' }),
      { ...seeded, first_name: 'Aoife', last_name: 'Ní Bhriain' },
      'the last name is changed, and the new first name is kept',
    )
    t.same(
      await update({ role: 'Admin' }),
      { id: 101, first_name: 'Aoife', last_name: 'Ní Bhriain', role: 'Admin' },
      'the role is changed, and both new names are kept',
    )
    t.same(
      await update({ role: 'Member', first_name: '李 👩‍🚀' }),
      {
        ...seeded,
        first_name: '李 👩‍🚀',
        last_name: 'Ní Bhriain',
      },
      'two fields are changed at once, and the last name is kept',
    )
    t.same(await update({}, { sandbox: 'other' }), seeded, 'the member in another world is unchanged')
  })

  t.test('refuses empty names and other spellings of a role, and then changes nothing', async (t) => {
    const before = await update({})
    for (const wrong of [
      { first_name: '' },
      { last_name: '' },
      { role: '' },
      { role: 'admin' },
      { role: 'MEMBER' },
      { role: 'Admin ' },
    ]) {
      t.equal(await update({ first_name: 'Changed', ...wrong }), 400, `${JSON.stringify(wrong)} is refused with 400`)
    }
    t.same(await update({}), before, 'the refused updates have changed nothing')
  })

  t.test('answers 404 for what is no member of the sub-organization', async (t) => {
    for (const subOrgMemberId of [
      '999',
      '201',
      '0101',
      '101.0',
      '1e2',
      '+101',
      '-101',
      'abc',
      ' 101',
      '9'.repeat(40),
    ]) {
      t.equal(await update({}, { params: { subOrgMemberId } }), 404, `there is no member '${subOrgMemberId}'`)
    }
    for (const subOrganizationUuid of ['nonsense', '00000000-0000-4000-8000-000000000000', '__proto__']) {
      t.equal(
        await update({}, { params: { subOrganizationUuid } }),
        404,
        `there is no sub-organization '${subOrganizationUuid}'`,
      )
    }
    t.match(
      await update({}, { params: { subOrganizationUuid: '6D9B7A52-41C3-4E0F-8A75-1C2E3D4F5A60' } }),
      { id: 101 },
      'the UUID may be in upper case',
    )
  })

  t.test('needs the permission to manage members', async (t) => {
    t.equal(
      await update({}, { headers: { authorization: 'Bearer token-member' } }),
      403,
      'a token without the permission is refused with 403',
    )
    const other = { headers: { authorization: 'Bearer token-other' } }
    t.equal(await update({}, other), 403, 'so is one that has it in another organization')
    const theirs = { subOrganizationUuid: 'e0c4a7d2-9f13-4b85-a6e8-3d5b1c7f9024', subOrgMemberId: '301' }
    t.match(await update({}, { ...other, params: theirs }), { id: 301 }, 'there it is accepted')
  })
})

t.test('an invitation', async (t) => {
  const invite = async (server: Server, form: Record<string, string> = {}, token = 'token-admin') => {
    const fields = Object.fromEntries(Object.entries(form).map(([name, value]) => [`data[0][${name}]`, value]))
    const headers = { authorization: `Bearer ${token}` }
    const response = await send(server, addOrganizationMember, { form: fields, headers })
    return { status: response.statusCode, message: messageOf(response) ?? '' }
  }
  const pendingOf = (server: Server, email: string) =>
    [...server.worlds.root.state.collection('invitations').all()].find(
      (one) => one.email === email && one.status === 'pending',
    )

  t.test('is sent by mail, with links to accept and to decline', async (t) => {
    const server = await build(t)
    t.match(await invite(server), { status: 200 }, 'the invitation is accepted for delivery')
    const [mail] = server.worlds.root.outbox.messages()
    const { id } = pendingOf(server, 'ada@example.test') ?? {}
    t.match(
      mail,
      { to: 'ada@example.test', subject: /Amélie Vestergaard/, text: /Harbourlight.* as Member/ },
      'the mail names the inviter, the organization and the role',
    )
    t.same(
      mail?.links,
      {
        accept: `http://localhost:80/invitations/${id}?answer=accept`,
        decline: `http://localhost:80/invitations/${id}?answer=decline`,
      },
      'the mail links to both answers',
    )
  })

  t.test('to someone already invited is sent again, in any letter case, and stays one invitation', async (t) => {
    const server = await build(t)
    for (const email of ['ada@example.test', 'Ada@Example.Test', 'ADA@EXAMPLE.TEST'])
      t.match(await invite(server, { email }), { status: 200 }, `${email} is invited`)
    t.equal(server.worlds.root.outbox.messages('ada@example.test').length, 3, 'three mails are sent')
    const all = [...server.worlds.root.state.collection('invitations').all()]
    t.equal(all.filter(({ email }) => email.toLowerCase() === 'ada@example.test').length, 1, 'there is one invitation')
  })

  t.test('to someone already invited is a conflict where the config says so', async (t) => {
    const server = await build(t, { readings: { ...defaultReadings, pendingInvitation: 'conflict' } })
    t.match(
      await invite(server, { email: 'noor.haddad@example.test' }),
      { status: 409, message: /already been invited/ },
      'the second invitation is refused with 409',
    )
    t.equal(server.worlds.root.outbox.messages().length, 0, 'no mail is sent')
  })

  t.test('to a member is a conflict, in any letter case, and only in that organization', async (t) => {
    const server = await build(t)
    for (const email of ['li.jun@example.test', 'LI.JUN@example.test', 'thanh.nguyen@example.test']) {
      t.match(await invite(server, { email }), { status: 409, message: email }, `${email} is a conflict`)
    }
    t.equal(server.worlds.root.outbox.messages().length, 0, 'no mail is sent')
    t.match(
      await invite(server, { email: 'li.jun@example.test', organization_id: '2' }, 'token-other'),
      { status: 200 },
      'a member of one organization can be invited to another',
    )
  })

  t.test('that was declined may be sent again', async (t) => {
    const server = await build(t)
    t.match(
      await invite(server, { email: 'dmitri.petrov@example.com' }),
      { status: 200 },
      'a new invitation is accepted',
    )
    t.equal(server.worlds.root.outbox.messages('dmitri.petrov@example.com').length, 1, 'it is sent by mail')
  })

  t.test('that is accepted makes a member, once; declining or accepting later is refused', async (t) => {
    const server = await build(t)
    const { root } = server.worlds
    await invite(server, { role: 'aDMIN' })
    const accepted = answerInvitation(root, pendingOf(server, 'ada@example.test')!.id, 'accept')
    t.match(
      accepted,
      { status: 'accepted', role: 'Admin' },
      'the invitation is accepted, its role in the documented spelling',
    )
    t.match(
      [...root.state.collection('organization_members').all()].at(-1),
      {
        email: 'ada@example.test',
        role: 'Admin',
        organization_id: 1,
      },
      'the organization has the new member',
    )
    t.match(await invite(server), { status: 409 }, 'inviting the new member is a conflict')
    for (const event of ['accept', 'decline'] as const)
      t.equal(answerInvitation(root, accepted!.id, event), undefined, `a later ${event} is refused`)
  })

  t.test('is accepted as it is sent where the config says so', async (t) => {
    const server = await build(t, { acceptance: 'immediately' })
    t.match(
      [await invite(server), await invite(server)],
      [{ status: 200 }, { status: 409 }],
      'the first makes a member, so the second is a conflict',
    )
  })

  t.test('into an organization that is not theirs is refused, and says which is', async (t) => {
    const server = await build(t)
    for (const organization_id of ['2', '77', '01', '1.0', ' 1', '-1', 'nonsense']) {
      t.match(
        await invite(server, { organization_id }),
        {
          status: 400,
          message: `'${organization_id}'. You have 1.`,
        },
        `organization '${organization_id}' is refused, and the message lists what they have`,
      )
    }
  })

  t.test('goes to what is an e-mail address, and to nothing else', async (t) => {
    const server = await build(t)
    const local = 'l'.repeat(64)
    for (const email of [
      'a+tag@example.test',
      "o'hara@example.test",
      'жанна@пример.рф',
      `${local}@example.test`,
      'root@localhost',
    ]) {
      t.match(await invite(server, { email }), { status: 200 }, `${email} is accepted`)
    }
    const spaced = [
      'a b@example.test',
      ' a@example.test',
      'a@example.test ',
      'Ada <a@example.test>',
      'a@example.test, b@example.test',
    ]
    for (const email of [
      'ada',
      '@example.test',
      'a@',
      'a@@b',
      'a@b@c',
      '.a@b.test',
      'a.@b.test',
      'a@b..test',
      'a@.b',
      `${local}l@b.test`,
      ...spaced,
    ]) {
      t.match(
        await invite(server, { email }),
        { status: 400, message: 'must be an e-mail address' },
        `'${email}' is refused`,
      )
    }
  })
})

t.test('control characters are refused in names, codes and addresses', async (t) => {
  const server = await build(t)
  const controls = ['\u0000', '\n', '\r\nBcc: eve@example.test', '\u001b', '\u007f', '\u0085']
  for (const contract of contracts as readonly Contract[]) {
    for (const part of ['query', 'form'] as const) {
      for (const [name, schema] of Object.entries((contract[part]?.properties ?? {}) as Record<string, TSchema>)) {
        const guarded = !isFile(schema) && (schema.pattern === NO_CONTROL_CHARACTERS || schema.format !== undefined)
        for (const control of guarded ? controls : []) {
          const response = await send(server, contract, { [part]: { [name]: `${schema.examples[0]}${control}` } })
          const label = `${contract.id} with ${encodeURIComponent(control).slice(0, 9)} in ${name}`
          t.equal(response.statusCode, contract.invalid, `${label}: the answer is ${contract.invalid}`)
          t.notMatch(messageOf(response), /[\u0000-\u001f\u007f-\u009f]/, `${label}: the message shows it escaped`)
        }
      }
    }
  }
  t.equal(server.worlds.root.outbox.messages().length, 0, 'none of the refused requests has sent a mail')
})
