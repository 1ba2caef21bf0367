import { readFile } from 'node:fs/promises'

/** The page of the default fixtures, with the counts that the fixtures have. */
export async function pageWithCounts(path, fixtureFiles) {
  const records = (name) => JSON.parse(fixtureFiles[`fixtures/${name}.json`])[name]
  const page = await readFile(path, 'utf8')
  const own = records('projects').filter(({ user_uuid }) => user_uuid === records('users')[0].uuid)
  const attachments = records('attachments').filter(({ project_uuid }) => own.some(({ uuid }) => uuid === project_uuid))
  const found = (...keywords) =>
    attachments.filter(
      ({ status, ...one }) =>
        status === 'protected' &&
        keywords.every((keyword) => SEARCHED.some((name) => one[name]?.toLowerCase().includes(keyword))),
    ).length
  return page
    .replace(/^- \*\*Attachments\*\*:[\s\S]*?(?=^- )/m, attachmentsLine(attachments.length, found))
    .replaceAll(/^\| (\d+) \| (`[^`]+`) \| \d+ \| (.*) \| (?:\d+ records|empty) \|$/gm, (_, id, uuid, subs) => {
      const members = records('organization_members').filter(({ organization_id }) => String(organization_id) === id)
      const credits = records('credit_histories').filter(({ organization_uuid }) => uuid === `\`${organization_uuid}\``)
      return `| ${id} | ${uuid} | ${members.length} | ${subs} | ${credits.length === 0 ? 'empty' : `${credits.length} records`} |`
    })
}

const SEARCHED = ['name', 'file_name', 'reference_number', 'category', 'type']

function attachmentsLine(all, found) {
  return `- **Attachments**: \`token-admin\` has ${all}; \`contract\` finds ${found('contract')} of them, \`contract\` and \`lease\` ${found('contract', 'lease')}, and all of \`contract\`,
  \`lease\` and \`2025\` ${found('contract', 'lease', '2025')}.
`
}
