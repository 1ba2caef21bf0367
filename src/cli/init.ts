import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { searchProtectedAttachments } from '../../schemas/search-protected-attachments.js'
import { InvalidOption } from '../server/invalid-option.js'
import type { Command } from './command.js'
import { readCommandLine, refuseWords } from './command-line.js'
import { asWriting } from './write-file.js'

const SCHEMAS = './node_modules/countersign/dist/schemas'

/** What a project starts from: each file, and its content. */
const files: Readonly<Record<string, string>> = {
  'countersign.config.yaml': `# yaml-language-server: $schema=${SCHEMAS}/config.schema.json
version: 1
fixtures: ./countersign.fixtures.json
# Scenarios and outcomes that are on: edit this list while the server runs.
active: []
#  - first-save-fails
#  - addOrganizationMember:409
`,
  'scenarios/first-save-fails.yaml': `# yaml-language-server: $schema=.${SCHEMAS}/scenario.schema.json
version: 1
description: The first save of a member fails, then all is well.
rules:
  - on: updateSubOrganizationMember
    times: 1
    answer: { status: 500 }
`,
  'countersign.fixtures.json': `${JSON.stringify(
    {
      $schema: `${SCHEMAS}/fixtures.schema.json`,
      version: 1,
      organizations: [{ id: 1, uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20', name: 'Example Organization' }],
      users: [
        {
          uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31',
          token: 'token-admin',
          email: 'admin@example.test',
          first_name: 'Ada',
          last_name: 'Admin',
          user_type: 'ENTERPRISE_API',
          organization_id: 1,
          permissions: ['manage_sub_organization_members'],
        },
      ],
      sub_organizations: [{ uuid: '6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60', organization_id: 1, name: 'Branch' }],
      sub_organization_members: [
        {
          id: 101,
          sub_organization_uuid: '6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60',
          first_name: 'Zoë',
          last_name: "O'Connor",
          role: 'Member',
        },
      ],
      projects: [
        {
          uuid: 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11',
          user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31',
          name: 'Lease',
        },
      ],
      documents: [
        {
          code: 'DOC-2025-0001',
          user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31',
          sha256: '0'.repeat(64),
          status: 'verified',
        },
      ],
      attachments: [searchProtectedAttachments.responses[200].example.data[0]],
    },
    null,
    2,
  )}
`,
}

/** Writes a config, a scenario and a fixtures file to start from; nothing that is there is overwritten. */
export const init: Command = async (argv, io) => {
  refuseWords(readCommandLine(argv).words)
  const there = Object.keys(files).filter((name) => existsSync(join(io.folder, name)))
  if (there.length > 0)
    throw new InvalidOption(
      `Already there: ${there.join(', ')}. Move ${there.length === 1 ? 'it' : 'them'} away first.`,
    )
  for (const [name, content] of Object.entries(files)) {
    const file = join(io.folder, name)
    await asWriting(file, async () => {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content, { flag: 'wx' })
    })
    io.out(`wrote ${name}`)
  }
  io.out("Now 'countersign' serves them; edit them while it runs.")
  return 0
}
