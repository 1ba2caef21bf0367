import { readFileSync } from 'node:fs'
import {
  addOrganizationMember,
  listCreditHistories,
  searchProtectedAttachments,
  uploadSignature,
} from '../../schemas/index.js'
import { shows } from '../fits.js'
import { adminOf, send } from '../helper.js'
import { open, visit } from './page.js'

const VIEWS = new URL('../cases/dashboard/views.txt', import.meta.url)
const settings = { clock: '2026-01-15T09:30:00Z', scenario: ['invitation-conflicts', 'verifyDocument:404'] }

visit(
  'each view shows what happened, as a screen reader has it',
  { settings, expected: /status of 40/ },
  async (t, visit) => {
    const { server, page } = visit
    const headers = { host: 'localhost', 'user-agent': 'app' }
    await send(server, addOrganizationMember, { form: { 'data[0][email]': 'mailto:ada@example.test' }, headers })
    await send(server, addOrganizationMember, { headers })
    await send(server, addOrganizationMember, { headers })
    await send(server, uploadSignature, { form: { source: 'undefined' }, headers })
    await send(server, listCreditHistories, { headers: { ...headers, prefer: 'code=503, delay=1' } })
    await send(server, listCreditHistories, { headers, sandbox: 'w-1' })
    await server.app.inject({ url: '/nowhere', headers })
    const stranger = { ...headers, authorization: undefined, 'user-token': 'nobody' }
    await send(server, searchProtectedAttachments, { query: { 'keyword[sample_4]': 'x' }, headers: stranger })
    await adminOf(server).call('PUT', 'scenarios/mine', { rules: [{ on: '*', times: 2, answer: { delay: 5 } }] })
    const [, ...views] = readFileSync(VIEWS, 'utf8').split(/^=== /m)
    for (const one of views) {
      const [, steps = '', expected = ''] = /^#\/(.*)\n+([\s\S]*)$/.exec(one) ?? []
      const [view = '', ...names] = steps.split(' > ')
      await open(visit, view)
      for (const name of names) await page.getByRole('button', { name, exact: true }).last().click()
      await shows(t, () => page.locator('body').ariaSnapshot(), expected, steps)
    }
  },
)
