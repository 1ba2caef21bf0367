import { existsSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { schemaReference, starterFiles } from '../package-root.js'
import { CONFIG_FILES } from '../server/config-file.js'
import { InvalidOption } from '../server/invalid-option.js'
import type { CliCommand } from './command.js'
import { asWriting, makeFolder, orRemoved } from './write-file.js'

/** The starter files, each with the line that names its schema. */
const FILES = {
  'countersign.config.yaml': ['config', /^# .*\n/],
  'scenarios/first-save-fails.yaml': ['scenario', /^# .*\n/],
  'countersign.fixtures.json': ['fixtures', / {2}"\$schema".*\n/],
} as const

/** Writes a starter config, scenario and fixtures file; existing files are never overwritten. */
export const command: CliCommand = {
  environment: false,
  about: `Writes three starter files to the working directory: ${Object.keys(FILES).join(', ')}. Existing files are never overwritten.`,
  sections: { Examples: 'countersign init' },
  async run(_, io) {
    const names = new Set([...Object.keys(FILES), ...CONFIG_FILES])
    const there = [...names].filter((name) => existsSync(join(io.folder, name)))
    if (there.length > 0)
      throw new InvalidOption(
        `Already exists: ${there.join(', ')}. Move ${there.length === 1 ? 'it' : 'them'} away first.`,
      )
    await orRemoved(async (made) => {
      for (const [name, [format, schemaLine]] of Object.entries(FILES))
        await asWriting(io, name, async (file) => {
          const text = await readFile(join(starterFiles, name), 'utf8')
          const schema = schemaReference(file, format)
          const folder = await makeFolder(dirname(file))
          await (await open(file, 'wx')).close()
          made.push(folder ?? file)
          await writeFile(
            file,
            text.replace(schemaLine, (line) =>
              schema === undefined ? '' : line.replace(`${format}.schema.json`, schema),
            ),
          )
        })
    })
    for (const name of Object.keys(FILES)) io.out(`wrote ${name}`)
    io.out("Run 'countersign' to serve them; you can edit them while it runs.")
    return 0
  },
}
