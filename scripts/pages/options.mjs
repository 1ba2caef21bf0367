import { asMarkdown, code, page, table } from './markdown.mjs'

/** The commands; where options are set, and each of them. */
export function optionsPage({ commands, Options, isLive, optionFlags }) {
  const rows = Object.entries(Options.properties).map(([name, schema]) => [
    `\`${optionFlags([name])[0].flags}\``,
    defaultOf(schema),
    `${asMarkdown(schema.description)}${valuesOf(schema)}`,
    name === 'config' ? '–' : isLive(name) ? 'at once' : 'after a restart',
  ])
  return page(
    '# Options and commands',
    `\`countersign help COMMAND\` shows the flags of a command, with examples; \`countersign --help\` lists the commands.
Wrong use of the command line ends with status 2.`,
    table(
      ['command', ''],
      Object.entries(commands).map(([name, { does }]) => [`\`${name}\``, does]),
    ),
    `## Options

An option can be set in four places. Where several set it, the first of them wins:

1. a flag: \`--body-limit 1000\`, \`--body-limit=1000\`; a switch is turned off by \`--no-watch\` or \`--watch=false\`;
2. an environment variable: \`COUNTERSIGN_BODY_LIMIT=1000\`; \`COUNTERSIGN_SCENARIO\` takes a comma-separated list;
3. a key of the config file: \`bodyLimit: 1000\`;
4. its default.

In process, \`startMockServer({ bodyLimit: 1000 })\` takes the same options, and reads neither config file nor environment.`,
    table(['option', 'default', '', 'an edit of the config file takes effect'], rows),
    `## The config file

It is \`countersign.config.yaml\`, \`.yml\` or \`.json\` in the working directory, or the file that \`--config\` names. Paths in
it are relative to it. \`countersign init\` writes one to start from, with a scenario and fixtures; editors complete it by
the JSON Schemas in \`dist/schemas\`.`,
    code(
      'yaml config',
      `version: 1
port: 4011
fixtures: ./fixtures
active: [addOrganizationMember:409]   # scenarios and outcomes that are on
invitations: { accept: { after: 3s } } # or manual (the default), or immediately
interpretations: { timestamps: seconds }`,
    ),
    `[\`active\`](scenarios.md#edits-while-the-server-runs), \`invitations\`, \`interpretations\` and
[\`mutate\`](mutate.md#as-a-gate) have no flag or variable; in process, the first three are options of \`startMockServer\`.

## The environment

A misspelt \`COUNTERSIGN_…\` variable is an error that names the right one; an unrecognised one is only a warning. An
empty variable is as if it were not set.
\`exec\` gives its command \`COUNTERSIGN_URL\`, \`COUNTERSIGN_TOKEN\`, \`COUNTERSIGN_ADMIN_URL\` and
\`COUNTERSIGN_ADMIN_TOKEN\`; \`verify\` reads \`COUNTERSIGN_TOKEN\`.

Node 22.1 and newer keep the program's compiled code between starts, in \`node-compile-cache\` below the temporary folder.
\`NODE_COMPILE_CACHE\` names another folder, and \`NODE_DISABLE_COMPILE_CACHE=1\` turns it off.`,
  )
}

function valuesOf({ type, minimum, maximum, enum: values }) {
  if (values !== undefined) return ` One of ${values.map((value) => `\`${value}\``).join(', ')}.`
  return type === 'integer' ? ` From ${minimum} to ${maximum}.` : ''
}

function defaultOf({ default: fallback }) {
  return fallback === undefined || Array.isArray(fallback) ? '' : `\`${fallback}\``
}
