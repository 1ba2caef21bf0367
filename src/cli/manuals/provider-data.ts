import type { Section } from '../manual.js'

/** The format of the `--data` file. */
export const DATA_SECTION: Section = {
  title: 'The --data file',
  text: [
    'Calls use values from the default world. List the values that are different at the provider in this file, by operation: params, query and form hold them under their names in the API. File paths are relative to the file. addOrganizationMember may also name a member, for the 409; updateSubOrganizationMember may also name foreign identifiers, which belong to someone else.',
  ],
  yaml: `verifyDocument: { form: { code: DOC-1, file: ./known.pdf, user_uuid: 3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31 } }
searchProtectedAttachments: { query: { 'keyword[sample_1]': lease } }
listCreditHistories: { query: { organization_uuid: 1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20 } }
addOrganizationMember: { form: { 'data[0][organization_id]': 1 }, member: someone@example.test }
updateSubOrganizationMember:
  params: { subOrganizationUuid: 6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60, subOrgMemberId: 101 }
`,
}

/** How to pass a token without showing it on the command line. */
export const ENVIRONMENT_SECTION: Section = {
  title: 'Environment',
  rows: [
    ['COUNTERSIGN_TOKEN', 'the token, if --token is not given; unlike a flag, it does not appear in process lists'],
  ],
}
