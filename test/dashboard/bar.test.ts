import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { send } from '../helper.js'
import { fits, flip, press, sizes, visit } from './page.js'

/** Where the links of the navigation are. */
const PLACES = `Array.from(document.querySelectorAll('nav[aria-label=Dashboard] a'), (one) => {
  const { left, top } = one.getBoundingClientRect()
  return [left, top]
})`

for (const look of sizes)
  visit('the bar is the same on every page', { look }, async (t, { server, url, page }) => {
    await send(server, addOrganizationMember)
    await send(server, listCreditHistories, { sandbox: 'w-1' })
    const navigation = page.getByRole('navigation', { name: 'Dashboard' })
    let first: number[][] | undefined
    for (const name of ['Requests', 'Outcomes', 'Scenarios', /^Mail/, 'State', 'Worlds', 'Docs']) {
      await navigation.getByRole('link', { name }).click()
      await navigation.getByRole('link', { name }).and(page.locator('[aria-current=page]')).waitFor()
      await page.getByRole('link', { name: 'Mail, 1 unread' }).waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      const places = (await page.evaluate(PLACES)) as number[][]
      first ??= places
      const moved = places.flat().map((one, at) => Math.abs(one - (first?.flat()[at] ?? 0)))
      t.ok(Math.max(...moved) <= 2, `${name}: no link moves`)
      t.equal(new Set(places.map(([, top]) => top)).size, 1, `${name}: the links are one row`)
      t.ok(await fits(page), `${name}: nothing sticks out`)
    }

    await press(page, '0 on')
    await page.getByText('Nothing is on').waitFor()
    await page.keyboard.press('Escape')
    for (const name of ['rate-limited', 'verifyDocument:404'])
      await server.app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}` })
    await press(page, '2 on')
    await flip(page, 'rate-limited', false)
    t.strictSame(server.worlds.root.playback.active, ['verifyDocument:404'], 'it is switched in Docs, too')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '1 on' }).waitFor()

    await press(page, 'root')
    await page.getByRole('link', { name: '~w-1' }).click()
    await page.waitForURL(`${url}/~w-1/__admin/docs`)
    await navigation.getByRole('link', { name: 'State' }).click()
    await press(page, '~w-1')
    await page.getByRole('link', { name: /^root/ }).click()
    await page.waitForURL(`${url}/__admin/#/state`)
  })
