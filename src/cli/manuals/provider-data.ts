import type { Section } from '../manual.js'

/** How the file of `--data` is written. */
export const DATA_SECTION: Section = {
  title: 'The file of --data',
  text: [
    'Calls use values of the default world. What is called otherwise at the deployment, the file says by operation: params, query and form hold the values by their names in the API. Paths of files are relative to it. addOrganizationMember may also name a member, for the 409; updateSubOrganizationMember may name foreign identifiers that belong to somebody else.',
  ],
  yaml: `verifyDocument: { form: { code: DOC-1, file: ./known.pdf, user_uuid: 3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31 } }
searchProtectedAttachments: { query: { 'keyword[sample_1]': lease } }
listCreditHistories: { query: { organization_uuid: 1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20 } }
addOrganizationMember: { form: { 'data[0][organization_id]': 1 }, member: someone@example.test }
updateSubOrganizationMember:
  params: { subOrganizationUuid: 6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60, subOrgMemberId: 101 }
`,
}

/** Where a token comes from that the command line should not show. */
export const ENVIRONMENT_SECTION: Section = {
  title: 'Environment',
  rows: [['COUNTERSIGN_TOKEN', 'token where --token is not given: it is then in no list of processes']],
}
