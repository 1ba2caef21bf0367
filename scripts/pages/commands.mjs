import { asMarkdown, code, page, table } from './markdown.mjs'

/** Every command, as its help tells of it. */
export async function commandsPage(sources) {
  const { commands } = sources
  const sections = await Promise.all(
    Object.entries(commands).map(async ([name, { does, manual }]) => section(name, does, await manual(), sources)),
  )
  return page(
    '# Commands',
    `\`countersign help COMMAND\` prints what is said here of a command. \`countersign --help\` lists the commands,
\`countersign --version\` (\`-V\`, \`-v\`, \`version\`) prints the version, \`-h\` is \`--help\`. What is wrong is told on standard error, with exit status 1 unless the
command's section says otherwise.`,
    table(
      ['command', ''],
      Object.entries(commands).map(([name, { does }]) => [`[\`${name}\`](#${name})`, does]),
    ),
    ...sections,
  )
}

function section(name, does, { usage, about, flags, options, sections = [], examples }, sources) {
  return [
    `## ${name}`,
    `${does[0].toUpperCase()}${does.slice(1)}.`,
    code('text', usage.map((line) => `countersign ${line}`).join('\n')),
    ...about.map(asMarkdown),
    ...flagTable('flag', Object.entries(flags), sources),
    ...optionTables(options, sources),
    ...sections.flatMap(({ title, rows = [], text = [], yaml }) => [
      `**${title}**`,
      ...(rows.length === 0
        ? []
        : [
            table(
              ['', ''],
              rows.map(([one, is]) => [`\`${one}\``, asMarkdown(is)]),
            ),
          ]),
      ...text.map(asMarkdown),
      ...(yaml === undefined ? [] : [code('yaml data', yaml)]),
    ]),
    code('sh', examples.join('\n')),
  ].join('\n\n')
}

function flagTable(head, rows, { description, written }) {
  if (rows.length === 0) return []
  return [
    table(
      [head, ''],
      rows.map(([name, flag]) => [`\`${written(name, flag)}\``, asMarkdown(description(flag))]),
    ),
  ]
}

/** Where a command reads all options, only those of which it says something of its own. */
function optionTables(options, sources) {
  const { Options, flagOf, optionFlag } = sources
  const all = Object.keys(Options.properties).every((name) => name in options)
  const rows = Object.entries(options)
    .filter(([, does]) => !all || does !== true)
    .map(([name, does]) => [flagOf(name), optionFlag(name, does === true ? undefined : does)])
  const head = all ? 'option that is otherwise' : 'option'
  return [...(all ? ['It takes all [options](options.md).'] : []), ...flagTable(head, rows, sources)]
}
