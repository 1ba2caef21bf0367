import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { addOrganizationMember, createSigningLink, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { aBrowser, noBrowser } from '../browser.js'
import { adminOf, build, fileOf, send } from '../helper.js'
import { count, fits, focused, looks, open, phone, sees, show, visit } from './page.js'

/** The ratio that text needs to be read (WCAG 2.2, 1.4.3). */
const LEAST = 4.5

/** Run in the page: texts whose contrast is too low, and controls without a name. */
const FLAWS = `(() => {
  const pen = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const layer = (color) => {
    pen.clearRect(0, 0, 1, 1)
    pen.fillStyle = color
    pen.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data
    return [r, g, b, a / 255]
  }
  const over = ([r, g, b, a], below) => [r, g, b].map((one, at) => one * a + below[at] * (1 - a))
  const backdrop = (element) => {
    if (element === null) return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255]
    const own = layer(getComputedStyle(element).backgroundColor)
    return own[3] === 1 ? own.slice(0, 3) : over(own, backdrop(element.parentElement))
  }
  const light = (color) => color
    .map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0)
  const contrast = (element) => {
    const behind = backdrop(element)
    const [more, less] = [light(over(layer(getComputedStyle(element).color), behind)), light(behind)].sort((a, b) => b - a)
    return (more + 0.05) / (less + 0.05)
  }
  const shown = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility({ visibilityProperty: true }))
  const texts = shown.filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  const faint = texts
    .filter((one) => one.closest('[disabled], script, style') === null && contrast(one) < ${LEAST})
    .map((one) => one.tagName + '.' + one.className + ' ' + one.textContent.slice(0, 30) + ' ' + contrast(one).toFixed(2))
  const nameless = shown
    .filter((one) => one.matches('a[href], button, input, select, textarea, iframe'))
    .filter((one) => !(one.ariaLabel || one.title || one.textContent.trim() || one.labels?.length))
    .map((one) => one.outerHTML.slice(0, 80))
  return [...faint, ...nameless]
})()`

t.test('every page is legible, and every control has a name', { skip: noBrowser }, async (t) => {
  const browser = await aBrowser()
  const server = await build(t)
  const url = await server.listen()
  const headers = { host: new URL(url).host }
  await send(server, addOrganizationMember, {
    form: { 'data[0][email]': 'mailto:ada@example.test', extra: '1' },
    headers,
  })
  await send(server, listCreditHistories, { headers: { prefer: 'fault=EMPTY_RESPONSE' } }).catch(() => {})
  await send(server, listCreditHistories, { query: { sort: 'x' }, headers: { prefer: 'expect=400' } })
  await send(server, addOrganizationMember, { headers })
  const link = new URL((await send(server, createSigningLink, { headers })).json().link).pathname
  const { id, links } = (await adminOf(server).mails())[0]!
  const put = (name: string, payload: object) =>
    server.app.inject({ method: 'PUT', url: `/__admin/scenarios/${name}`, payload })
  await put('mine', { active: true, rules: [{ on: '*', when: { state: 'Done' }, times: 1 }] })
  await put('uploadSignature:401', { active: true })
  const pages: Readonly<Record<string, string>> = {
    '/__admin/#/requests': 'violation, expected',
    '/__admin/#/requests/x1': 'Changes are highlighted',
    '/__admin/#/requests/x2': 'The connection was broken on purpose',
    '/__admin/#/requests/x99': 'is no longer in the journal',
    '/__admin/#/outcomes': 'of 32 met',
    '/__admin/#/scenarios': 'invitation-conflicts',
    '/__admin/#/scenarios/mine': 'Save as a file',
    '/__admin/#/scenarios//mine': 'Save and switch on',
    '/__admin/#/mail': 'ada@example.test',
    [`/__admin/#/mail/${id}`]: 'As text',
    '/__admin/#/state': 'token-admin',
    '/__admin/#/state/documents/': 'This is a copy',
    '/__admin/#/sandboxes': 'running',
    '/__admin/docs': 'I-01, Success status',
    [new URL(links.accept).pathname]: 'invites you to join',
    [link]: 'Recipient',
  }
  const { page } = await show(t, browser, 'about:blank')
  for (const [path, text] of Object.entries(pages)) {
    await page.goto(`${url}${path}`)
    await sees(page, text)
    for (const { name, viewport, colorScheme } of looks) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      t.strictSame(await page.evaluate(FLAWS), [], `${path} is legible on ${name}`)
      t.ok(await fits(page), `${path} fits on ${name}`)
    }
  }
})

const MARKUP = '<img src=x onerror="document.title=1"><script>alert(1)</script>'
const RIGHT_TO_LEFT = 'שלום \u202eevil\u202c عالم'
const LONG = 'x'.repeat(20_000)
const every = Uint8Array.from({ length: 2_000 }, (_, at) => at % 256)

visit('hostile requests are shown as text', { look: phone, expected: /404/ }, async (t, visit) => {
  const { server, page } = visit
  const openExchange = async (id: string) => {
    await open(visit, `requests/${id}`)
    await focused(page, 'h2')
    await page.getByRole('heading', { name: 'Answer' }).waitFor()
    t.ok(await fits(page), `${id}: nothing sticks out`)
  }
  await send(server, addOrganizationMember, {
    form: { 'data[0][first_name]': MARKUP, 'data[0][last_name]': RIGHT_TO_LEFT, [`${MARKUP}${LONG}`]: LONG },
    query: { user_type: 'ENTERPRISE_API', [LONG]: MARKUP },
  })
  await openExchange('x1')
  t.equal(await page.locator('main img, main script').count(), 0, 'markup is no markup')
  await sees(page, MARKUP)
  await sees(page, '\\u202eevil')
  await send(server, uploadSignature, { form: { file: fileOf(every, `${MARKUP}${RIGHT_TO_LEFT}.png`) } })
  await openExchange('x2')
  await sees(page, '2,000 bytes')
  await server.app.inject({
    method: 'PUT',
    url: '/__admin/scenarios/odd',
    payload: {
      active: true,
      description: MARKUP + LONG,
      rules: [
        {
          on: '*',
          times: 1,
          offContract: true,
          answer: { status: 502, headers: { 'content-type': 'text/html' }, body: MARKUP },
        },
        { on: '*', offContract: true, answer: { body: { [MARKUP]: [RIGHT_TO_LEFT, LONG, '\u0000\u0007\u009f'] } } },
      ],
    },
  })
  await send(server, listCreditHistories)
  await openExchange('x3')
  await sees(page, MARKUP)
  await send(server, listCreditHistories)
  await openExchange('x4')
  await sees(page, RIGHT_TO_LEFT.split(' ')[0] as string)
  const odd = ['requests/%E0%A4%A', 'scenarios/%3Cb%3E']
  for (const view of ['requests', 'scenarios/odd', 'mail', 'state/invitations', 'state/signatures', ...odd]) {
    await open(visit, view)
    await page.getByRole('heading').first().waitFor()
    t.ok(await fits(page), `${view}: nothing sticks out`)
  }
  t.equal(await page.locator('main img, main script').count(), 0, 'there is still no markup')
  t.match(await page.title(), /countersign$/, 'no script ran')
})

const roomy = { settings: { journalSize: 2_000 } }

visit('a thousand exchanges are listed, and no more are kept', roomy, async (t, { server, page }) => {
  for (let at = 0; at < 990; at++) {
    await send(server, listCreditHistories)
    // The browser has connections open, which else are not read before the server gives them up.
    if (at % 10 === 0) await turn()
  }
  await page.reload()
  const rows = page.locator('.exchanges > li')
  await count(rows, 990)
  for (let at = 0; at < 60; at++) await send(server, listCreditHistories)
  await page.locator('a[href="#/requests/x1050"]').waitFor()
  await count(rows, 1_000)
  await sees(page, '1,000 exchanges: the newest; older ones are not shown')
  await rows.last().scrollIntoViewIfNeeded()
  await page.locator('a[href="#/requests/x51"]').waitFor()
  t.equal(await page.locator('a[href="#/requests/x50"]').count(), 0, 'the oldest made room')
})
