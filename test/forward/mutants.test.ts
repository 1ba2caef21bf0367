import t from 'tap'
import { lastExchange } from '../helper.js'
import { ask, forwarding, goodHistories, histories } from './provider.js'

t.test('a mutant alters a provider’s answer, but not the call that the provider receives', async (t) => {
  const { url, server } = await forwarding(t, goodHistories)
  const { body: original } = await ask(histories, url)
  const altered = await ask(histories, url, { prefer: 'mutant=listCreditHistories:200/total/one-more' })
  const { total } = original as { readonly total: number }
  t.match(altered, { status: 200, body: { total: total + 1 } })
  t.match(await lastExchange(server), { cause: 'provider', trace: { why: /mutant/ } })
  const firstPage = await ask(histories, url, { prefer: 'mutant=listCreditHistories:200/page/always-first-page' })
  t.strictSame(firstPage.body, original, 'the provider gets the query unchanged')
})
