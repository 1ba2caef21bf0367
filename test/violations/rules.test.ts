import t from 'tap'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { build, type Changes, lastExchange, send } from '../helper.js'

const rules: readonly (readonly [contract: Contract, mistake: Changes, rule: string])[] = [
  [api.addOrganizationMember, { form: { 'data[0][organization_id]': '999' } }, 'I-07: Invitations: An unknown'],
  [api.addOrganizationMember, { form: { 'data[0][role]': 'Owner' } }, 'I-07: Invitations: The role'],
  [api.addOrganizationMember, { form: { 'data[0][email]': '"a b"@x.test' } }, 'I-19: Control characters: An e-mail'],
  [api.listCreditHistories, { query: { per_page: 0 } }, 'I-06: Credit histories: `page` and `per_page`'],
  [api.listCreditHistories, { query: { sort: 'nope' } }, 'I-06: Credit histories: An unknown sort or order'],
  [api.searchProtectedAttachments, { query: { 'keyword[sample_2]': '' } }, 'I-05: Keywords: An unknown `keyword[…]`'],
  [api.updateSubOrganizationMember, { form: { first_name: '' } }, 'I-10: Partial update: An empty name'],
]

t.test('a violation quotes the sentence that it rests on, and cites its number', async (t) => {
  const server = await build(t)
  for (const [contract, mistake, rule] of rules) {
    await send(server, contract, mistake)
    const [violation] = (await lastExchange(server)).violations
    t.match(violation, { rule, cites: [rule.slice(0, 4)] }, rule)
  }
})
