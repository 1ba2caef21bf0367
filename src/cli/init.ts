import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Api } from '../engine/api.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { schemaReference } from '../package-root.js'
import { CONFIG_FILES } from '../server/config-file.js'
import type { CliCommand } from './command.js'
import { requireWritable, writeTextFile } from './files.js'

const FILES = {
  'countersign.config.yaml': ['config', /^# .*\n/],
  'scenarios/first-save-fails.yaml': ['scenario', /^# .*\n/],
  'countersign.fixtures.json': ['fixtures', / {2}"\$schema".*\n/],
} as const

export const command = (api: Api): CliCommand => ({
  about: `Writes three starter files to the working directory: ${Object.keys(FILES).join(', ')}. Existing files are never overwritten.`,
  sections: { Examples: 'npx countersign init' },
  async run(_, io) {
    const names = new Set([...Object.keys(FILES), ...CONFIG_FILES])
    const existing = [...names].filter((name) => existsSync(join(io.folder, name)))
    if (existing.length > 0)
      throw new InvalidOption(
        `${existing.join(', ')} already ${existing.length === 1 ? 'exists. Move or rename it' : 'exist. Move or rename them'}, then run init again.`,
      )
    await requireWritable(io, ...Object.keys(FILES))
    for (const [name, [format, schemaLine]] of Object.entries(FILES)) {
      const schema = schemaReference(join(io.folder, name), format)
      const text = await readFile(join(api.starterFolder, name), 'utf8')
      const fixOrRemove = (line: string) => (schema === undefined ? '' : line.replace(`${format}.schema.json`, schema))
      await writeTextFile(io, name, text.replace(schemaLine, fixOrRemove))
      io.out(`Wrote ${name}.`)
    }
    io.out("Run 'npx countersign' to serve them; you can edit them while it runs.")
    return 0
  },
})
