import { existsSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Fixtures } from '../../schemas/fixtures.js'
import { schemaReference } from '../package-root.js'
import { CONFIG_FILES } from '../server/config-file.js'
import { InvalidOption } from '../server/invalid-option.js'
import type { CliCommand } from './command.js'
import { addSections } from './flags.js'
import { asWriting, makeFolder, orRemoved } from './write-file.js'

/** The starter files: content by name; `schemaOf` returns the path from a file to a schema, if there is one. */
function contents(schemaOf: (file: string, schema: string) => string | undefined): Readonly<Record<string, string>> {
  const yaml = (file: string, schema: string, text: string) => {
    const path = schemaOf(file, schema)
    return path === undefined ? text : `# yaml-language-server: $schema=${path}\n${text}`
  }
  return {
    [CONFIG]: yaml(
      CONFIG,
      'config',
      `version: 1
fixtures: ./${FIXTURES}
# Scenarios and outcomes to switch on; you can edit this list while the server runs.
active:
#  - first-save-fails
#  - addOrganizationMember:409
#  - gateway:503
`,
    ),
    [SCENARIO]: yaml(
      SCENARIO,
      'scenario',
      `version: 1
description: The first save of a member fails; the next one succeeds.
rules:
  - on: updateSubOrganizationMember
    times: 1
    answer: { status: 500 }
`,
    ),
    [FIXTURES]: `${JSON.stringify({ $schema: schemaOf(FIXTURES, 'fixtures'), version: 1, ...OWN_RECORDS }, null, 2)}\n`,
  }
}

const CONFIG = 'countersign.config.yaml'
const SCENARIO = 'scenarios/first-save-fails.yaml'
const FIXTURES = 'countersign.fixtures.json'

/** Records in addition to the default world: a user with their own token and organization. */
const OWN_RECORDS: Fixtures = {
  extends: 'default',
  organizations: [{ id: 900, uuid: '0d5b8f3e-7a61-4c29-9e84-2f1a6c7b3d95', name: 'Example Organization' }],
  users: [
    {
      uuid: '8e2f6a1c-4b9d-4d37-a5c8-1f7e3b6d9a40',
      token: 'token-mine',
      email: 'ada@example.test',
      first_name: 'Ada',
      last_name: 'Admin',
      user_type: 'ENTERPRISE_API',
      organization_id: 900,
      permissions: ['manage_sub_organization_members'],
    },
  ],
}

/** Writes a starter config, scenario and fixtures file; existing files are never overwritten. */
export const command: CliCommand = {
  environment: false,
  declare(command) {
    command.description(
      'Writes three starter files to the working directory: countersign.config.yaml, scenarios/first-save-fails.yaml and countersign.fixtures.json. Existing files are never overwritten.',
    )
    addSections(command, { Examples: 'countersign init' })
  },
  async run(_, io) {
    const content = contents((file, format) => schemaReference(join(io.folder, file), format))
    const names = new Set([...Object.keys(content), ...CONFIG_FILES])
    const there = [...names].filter((name) => existsSync(join(io.folder, name)))
    if (there.length > 0)
      throw new InvalidOption(
        `Already exists: ${there.join(', ')}. Move ${there.length === 1 ? 'it' : 'them'} away first.`,
      )
    await orRemoved(async (made) => {
      for (const [name, text] of Object.entries(content))
        await asWriting(io, name, async (file) => {
          const folder = await makeFolder(dirname(file))
          await (await open(file, 'wx')).close()
          made.push(folder ?? file)
          await writeFile(file, text)
        })
    })
    for (const name of Object.keys(content)) io.out(`wrote ${name}`)
    io.out("Run 'countersign' to serve them; you can edit them while it runs.")
    return 0
  },
}
