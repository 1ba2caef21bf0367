import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { aBrowser, noBrowser } from '../browser.js'
import { build } from '../helper.js'
import { fits, looks, sees, show } from './page.js'

const id = 'addOrganizationMember:200/effect/without-effect'
const common = { operation: 'addOrganizationMember', outcome: 'addOrganizationMember:200', cites: ['S6.6'] }
const findings = {
  seed: '1',
  excepted: [],
  durations: { control: [1, 1], all: 5 },
  mutants: [
    {
      ...common,
      id,
      place: 'effect',
      operator: 'without-effect',
      rule: 'S6.6: An e-mail invitation is sent.',
      due: 'it takes place',
      got: 'nothing changes',
      force: `Prefer: mutant=${id}`,
      state: 'unnoticed',
    },
    {
      ...common,
      id: 'addOrganizationMember:200/message/null',
      place: 'message',
      operator: 'null',
      rule: 'S6.7: Success.',
      due: '"Invitation sent."',
      got: 'null',
      force: 'Prefer: mutant=addOrganizationMember:200/message/null',
      state: 'noticed',
    },
  ],
}

t.test('what a suite did not notice is shown where its outcomes are', { skip: noBrowser }, async (t) => {
  const browser = await aBrowser()
  const place = folder(t, { 'node_modules/x': '' })
  const server = await build(t, { folder: place })
  t.strictSame((await server.app.inject('/__admin/mutants')).json(), { lastRun: null }, 'there is none yet')
  const cache = join(place, 'node_modules/.cache/countersign')
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'mutants.json'), JSON.stringify(findings))
  const url = await server.listen()
  for (const look of looks) {
    const { page, problems } = await show(t, browser, `${url}/__admin/#/outcomes`, look)
    await sees(page, 'The suite noticed 1 of 2 mutants. No test looks at these:')
    await sees(page, '1 of 2 noticed')
    await page.getByText(id, { exact: true }).click()
    await sees(page, 'S6.6: An e-mail invitation is sent.')
    await sees(page, '+ nothing changes')
    t.ok(await fits(page), `${look.name}: nothing sticks out`)
    t.strictSame(problems, [], `${look.name}: the browser complains of nothing`)
  }
})
