import t from 'tap'
import { countersign, verify } from '../forward/provider.js'

/** A mutant of a provider's answers, the sum of the checks, and what is found: its state, what it cites, and its place. */
const table = `
uploadSignature:200/answer/status-401 | 5 ok, 11 drift, 0 differ | ✗ SA.2, S1.1, S0.1, S0.2, SU.1, SA.6  status | ✗ S1.2, S1.3  status | ✗ S1.4, S1.5, S1.6  status
uploadSignature:401/answer/status-422 | 14 ok, 2 drift, 0 differ | ✗ SA.4, SA.1  status
updateSubOrganizationMember:200/data.first_name/not-as-sent | 19 ok, 2 drift, 0 differ | ✗ S2.6, S2.4  data.first_name
updateSubOrganizationMember:200/answer/status-400 | 10 ok, 0 drift, 9 differ | ~ SA.2, S2.1, S0.1, S0.2, SU.1, SA.6, I-10  status | ~ S2.6, S2.4, S2.5, I-10  status
updateSubOrganizationMember:200/data.role/not-as-sent | 19 ok, 2 drift, 0 differ | ✗ S2.6, S2.5  data.role | ✗ S2.5  data.role
updateSubOrganizationMember:200/effect/without-effect | 20 ok, 1 drift, 0 differ | ✗ S2.6  data.first_name | ✗ S2.6  data.role | ✗ S2.6  data.last_name
verifyDocument:200/answer/status-400 | 8 ok, 9 drift, 0 differ | ✗ SA.2, S3.1, S0.1, S0.2, SU.1, SA.6  status | ✗ S3.3, S3.4  status | ✗ S3.2, S3.4  status | ✗ S3.4  status
verifyDocument:400/answer/status-401 | 14 ok, 4 drift, 2 differ | ~ S3.5, SE.1, I-03  status | ~ I-04  missingUserType
verifyDocument:400/answer/status-404 | 14 ok, 4 drift, 2 differ | ~ SU.1, SA.6, SE.1, I-04  status | ~ S3.5, SE.1, I-03  status | ~ SE.1, S3.2, I-08  status
searchProtectedAttachments:200/data.each.type/left-out | 18 ok, 1 drift, 1 differs | ✗ S4.7  data | ~ S4.5, I-05  data
searchProtectedAttachments:200/data.each.status/left-out | 18 ok, 2 drift, 0 differ | ✗ S4.8  data | ✗ S4.7, S4.8  data | ~ I-05  attachmentStatus
searchProtectedAttachments:200/answer/status-400 | 8 ok, 7 drift, 0 differ | ✗ SA.3  status
searchProtectedAttachments:401/answer/status-400 | 17 ok, 2 drift, 0 differ | ✗ SA.4, SA.1  status
searchProtectedAttachments:401/answer/status-404 | 16 ok, 3 drift, 0 differ | ✗ S4.1  status
listCreditHistories:200/page/left-out | 19 ok, 2 drift, 0 differ | ✗ S5.2, S5.6  page | ✗ S5.6  page
listCreditHistories:200/per_page/left-out | 19 ok, 2 drift, 0 differ | ✗ S5.2, S5.6  per_page | ✗ S5.6  per_page
listCreditHistories:200/histories/other-type | 13 ok, 3 drift, 0 differ | ✗ S5.2, S5.7  histories | ✗ S5.7  total | ✗ S5.6  histories
listCreditHistories:200/histories/reversed | 20 ok, 1 drift, 0 differ | ✗ S5.5  histories
listCreditHistories:200/histories.each.id/null | 16 ok, 4 drift, 0 differ | ✗ S5.9, S5.2  histories | ✗ S5.5  histories | ✗ S5.8, S5.9  histories
listCreditHistories:200/histories.each.organization_uuid/other-form | 19 ok, 2 drift, 0 differ | ✗ S5.3  histories | ✗ S5.8  histories
listCreditHistories:200/answer/status-400 | 7 ok, 8 drift, 0 differ | ✗ S5.4  status | ~ SU.3, I-04  status
listCreditHistories:400/answer/status-401 | 15 ok, 5 drift, 1 differs | ✗ SE.8  error.message | ~ S5.5, I-06  status
addOrganizationMember:200/answer/status-409 | 6 ok, 10 drift, 0 differ | ✗ SA.2, S6.1, S0.1, S0.2, SU.1, SA.6  status | ✗ S6.2, S6.3, S6.4, S6.5  status
createSigningLink:200/answer/status-400 | 5 ok, 7 drift, 0 differ | ✗ SA.2, S7.1, S0.1, S7.3, S7.6  status | ✗ S7.4, SU.4, S7.1  status
createSigningLink:200/answer/without-link | 11 ok, 1 drift, 0 differ | ✗ S7.4  body | ~ I-11  link
verifyDocument:200/answer/status-404 | 14 ok, 0 drift, 0 differ
verifyDocument:404/answer/status-422 | 18 ok, 0 drift, 2 differ | ~ SE.3, I-08  status | ~ SE.3, S3.2, I-08  status
verifyDocument:422/answer/status-400 | 19 ok, 0 drift, 1 differs | ~ SE.5, I-08  status
searchProtectedAttachments:200/answer/status-404 | 13 ok, 0 drift, 0 differ
searchProtectedAttachments:200/data/empty-list | 16 ok, 0 drift, 0 differ
searchProtectedAttachments:200/data/last-gone | 20 ok, 0 drift, 0 differ
`

t.test('what a mutant of a provider is found by, and what that drags along', async (t) => {
  const mock = await countersign(t)
  for (const [at, row] of table.trim().split('\n').entries()) {
    const [mutant = '', sum = '', ...found] = row.split(' | ')
    const sandbox = await mock.sandbox(`m${at}`)
    await sandbox.scenarios.activate(`mutant:${mutant}`)
    const flags = ['--allow-writes', '--token-without-permission', 'token-member', '--only', `${mutant.split(':')[0]}`]
    const { code, text } = await verify(t, sandbox.url, ...flags)
    t.equal(code, / 0 drift/.test(sum) ? 0 : 1, `${mutant}: the status`)
    for (const part of [...found, sum]) t.ok(text.includes(part), `${mutant}: ${part}`, { text })
  }
})
