import t from 'tap'
import {
  addOrganizationMember,
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
} from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { build, type Changes, lastExchange, send } from '../helper.js'

/** A mistake, and how the rule begins that it breaks. */
const rules: readonly (readonly [contract: Contract, mistake: Changes, rule: string])[] = [
  [
    addOrganizationMember,
    { form: { 'data[0][organization_id]': '999' } },
    'I-07: Invitations: An unknown organization',
  ],
  [addOrganizationMember, { form: { 'data[0][role]': 'Owner' } }, 'I-07: Invitations: The role'],
  [
    addOrganizationMember,
    { form: { 'data[0][email]': '"a b"@x.test' } },
    'I-19: Control characters: An e-mail address',
  ],
  [listCreditHistories, { query: { per_page: 0 } }, 'I-06: Credit histories: `page` and `per_page`'],
  [listCreditHistories, { query: { sort: 'nope' } }, 'I-06: Credit histories: An unknown sort or order'],
  [searchProtectedAttachments, { query: { 'keyword[sample_2]': '' } }, 'I-05: Keywords: An unknown `keyword[…]` key'],
  [updateSubOrganizationMember, { form: { first_name: '' } }, 'I-10: Partial update: An empty name'],
]

t.test(
  'a violation quotes the sentence of an interpretation that it rests on, and cites it by its number',
  async (t) => {
    const server = await build(t)
    for (const [contract, mistake, rule] of rules) {
      await send(server, contract, mistake)
      const [violation] = (await lastExchange(server)).violations
      t.match(violation, { rule, cites: [rule.slice(0, 4)] }, rule)
    }
  },
)
