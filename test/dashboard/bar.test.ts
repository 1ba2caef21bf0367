import t from 'tap'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import { aBrowser, noBrowser } from '../browser.js'
import { build, send } from '../helper.js'
import { fits, show, sizes, switched } from './page.js'

/** Where the links of the navigation are. */
const PLACES = `Array.from(document.querySelectorAll('nav[aria-label=Dashboard] a'), (one) => {
  const { left, top } = one.getBoundingClientRect()
  return [left, top]
})`

t.test('the bar is the same on every page', { skip: noBrowser }, async (t) => {
  const browser = await aBrowser()
  for (const look of sizes) {
    t.test(look.name, async (t) => {
      const server = await build(t)
      const url = await server.listen()
      await send(server, addOrganizationMember)
      await send(server, listCreditHistories, { sandbox: 'w-1' })
      const { page, problems } = await show(t, browser, `${url}/__admin/`, look)
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

      await page.getByRole('button', { name: '0 on' }).click()
      await page.getByText('Nothing is on').waitFor()
      await page.keyboard.press('Escape')
      for (const name of ['rate-limited', 'verifyDocument:404'])
        await server.app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}` })
      await page.getByRole('button', { name: '2 on' }).click()
      await page.getByRole('switch', { name: 'rate-limited' }).click()
      await switched(page, 'rate-limited', false)
      t.strictSame(server.worlds.root.playback.active, ['verifyDocument:404'], 'it is switched in Docs, too')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: '1 on' }).waitFor()

      await page.getByRole('button', { name: 'root' }).click()
      await page.getByRole('link', { name: '~w-1' }).click()
      await page.waitForURL(`${url}/~w-1/__admin/docs`)
      await navigation.getByRole('link', { name: 'State' }).click()
      await page.getByRole('button', { name: '~w-1' }).click()
      await page.getByRole('link', { name: /^root/ }).click()
      await page.waitForURL(`${url}/__admin/#/state`)
      t.strictSame(problems, [], 'the browser has nothing to complain about')
    })
  }
})
