import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { adminOf } from '../helper.js'
import { copy, flow } from './page.js'

flow(
  'change from one sandbox to another',
  { atBothWidths: true, at: '#/state/documents' },
  async (t, { page, url, sandbox, server, send }) => {
    const [root, night] = [url.replace(/\/~.*/, ''), `${sandbox}-night`]
    t.equal(await page.title(), `State · ~${sandbox} · countersign`)
    await page.getByRole('button', { name: `~${sandbox}`, exact: true }).click()
    await page.getByRole('link', { name: /^root \d+ requests?$/ }).waitFor()
    await page.getByRole('link', { name: 'Manage sandboxes' }).click()
    await page.waitForURL(/#\/sandboxes$/)
    await page.getByLabel('Name').fill('no such/name')
    await page.getByRole('button', { name: 'Open' }).click()
    t.match(page.url(), /#\/sandboxes$/, 'an invalid name leads nowhere')
    await page.getByLabel('Name').fill(night)
    await page.getByRole('button', { name: 'Open' }).click()
    await page.waitForURL(`${root}/~${night}/__admin/`)
    await send(listCreditHistories, { sandbox: night })
    await page.getByText('1 exchange', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'State', exact: true }).click()
    await page.getByRole('link', { name: /^documents \d+$/ }).click()
    await page.getByRole('button', { name: `~${night}`, exact: true }).click()
    await page.getByRole('link', { name: new RegExp(`^~${night} 1 request$`) }).waitFor()
    await page.getByRole('link', { name: new RegExp(`^~${sandbox} `) }).click()
    await page.waitForURL(`${url}/__admin/#/state/documents`)
    await adminOf(server).call('DELETE', `sandboxes/${night}`)
  },
)

flow('reset one sandbox and delete it', { at: '#/sandboxes' }, async (t, { page, url, sandbox, server, send }) => {
  const [root, other] = [url.replace(/\/~.*/, ''), `${sandbox}-other`]
  const row = page.getByRole('row', { name: new RegExp(`^~${other} `) })
  await send(addOrganizationMember)
  await send(addOrganizationMember, { sandbox: other })
  await row.waitFor()
  const here = page.getByRole('row').filter({ hasText: 'this page' })
  await here.getByText('nothing', { exact: true }).waitFor()
  await here.getByText(/last at \d\d:\d\d:\d\d$/).waitFor()
  t.equal(await row.getByRole('link').getAttribute('href'), `/~${other}/__admin/`)
  t.equal(await copy(row, 'Copy URL'), `${root}/~${other}`)
  t.equal(await copy(row, 'Copy header'), `X-Mock-Sandbox: ${other}`)
  t.equal(await copy(row, 'Copy token'), `token-admin~${other}`)
  const outcomes = ['uploadSignature:401', 'verifyDocument:400', 'listCreditHistories:400', 'addOrganizationMember:409']
  for (const name of [...outcomes, 'createSigningLink:400']) await adminOf(server, other).activate(name)
  await row.getByText('addOrganizationMember:409').waitFor()
  await row.getByText('and 1 more').waitFor()

  await page.getByRole('searchbox').fill('OTHER')
  await page.getByRole('row', { name: new RegExp(`^~${sandbox} `) }).waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Reset' }).click()
  const reset = page.getByRole('dialog', { name: `Reset ~${other} to its seeded state?` })
  await reset.getByRole('button', { name: 'Cancel' }).click()
  await row.getByText('and 1 more').waitFor()
  await row.getByRole('button', { name: 'Reset' }).click()
  await reset.getByRole('button', { name: 'Reset' }).click()
  await row.getByText('nothing', { exact: true }).waitFor()
  t.equal((await adminOf(server, other).requests()).length, 0)
  t.equal((await adminOf(server, sandbox).requests()).length, 1, 'this sandbox stays as it was')

  await row.getByRole('button', { name: 'Delete' }).click()
  const remove = page.getByRole('dialog', { name: `Delete ~${other} with all that is in it?` })
  await remove.getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  t.notOk((await adminOf(server).sandboxes()).includes(other))
  const ofRoot = page.getByRole('row', { name: /^root / })
  await ofRoot.getByRole('button', { name: 'Reset' }).waitFor()
  t.equal(await ofRoot.getByRole('button', { name: 'Delete' }).count(), 0, 'the root cannot be deleted')
  t.equal(await copy(ofRoot, 'Copy token'), 'token-admin')
})

flow('freeze the clock and go back to real time', { at: '#/sandboxes' }, async (t, { page, admin, send }) => {
  const bar = page.getByRole('banner')
  const clock = page.getByRole('region', { name: 'Clock of this sandbox' })
  const set = async (time: string) => {
    await clock.getByLabel('Set to').fill(time)
    await clock.getByRole('button', { name: 'Set', exact: true }).click()
  }
  await clock.getByText('running').waitFor()
  t.equal(await bar.getByTitle('The clock of this sandbox').count(), 0, 'real time is not worth a word')
  t.equal(await clock.getByRole('button', { name: 'Back to real time' }).count(), 0)
  await clock.getByRole('button', { name: 'Freeze', exact: true }).click()
  await clock.getByText('frozen').waitFor()
  await set('tomorrow')
  await clock
    .getByRole('alert')
    .getByText(/ISO 8601.*not 'tomorrow'/)
    .waitFor()
  await set('2031-05-06T07:08:09Z')
  await clock.getByText('2031-05-06T07:08:09.000Z').waitFor()
  await bar.getByText('frozen at 6 May, 07:08').waitFor()
  await clock.getByRole('button', { name: 'Advance 1 day', exact: true }).click()
  await clock.getByText('2031-05-07T07:08:09.000Z').waitFor()
  await set('2031-05-06')
  await clock.getByText('2031-05-06T00:00:00.000Z').waitFor()
  await clock.getByText(/^[\d,]+ days ahead of real time$/).waitFor()

  await send(listCreditHistories)
  await page.getByRole('link', { name: 'Requests' }).click()
  await page.getByRole('link', { name: /^6 May, 00:00 200 / }).waitFor()
  await bar.getByText('frozen at 6 May, 00:00').click()
  await clock.getByRole('button', { name: 'Back to real time' }).click()
  await clock.getByText('running').waitFor()
  await bar.getByText('frozen at').waitFor({ state: 'detached' })
  await clock.getByRole('button', { name: 'Advance 1 hour' }).click()
  await bar.getByText('1 hour ahead').waitFor()
  await clock.getByRole('button', { name: 'Freeze', exact: true }).click()
  await clock.getByRole('button', { name: 'Unfreeze' }).click()
  await clock.getByText('1 hour ahead of real time').waitFor()
  await admin.call('PUT', 'clock', { now: '2001-02-03T04:05:06Z', frozen: true })
  await bar.getByText('frozen at 3 Feb, 04:05').waitFor()
  await clock.getByText(/days behind real time/).waitFor()
})
