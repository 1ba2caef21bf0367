import { asMarkdown, code, page, table } from './markdown.mjs'

/** The page of commands, options and the config file. */
export function optionsPage({ commands, optionTable, isLive, optionFlags }) {
  const rows = Object.entries(optionTable).map(([name, schema]) => [
    `\`${optionFlags([name])[0].flags}\``,
    defaultOf(schema),
    `${asMarkdown(schema.description)}${valuesOf(schema)}`,
  ])
  const fixed = Object.keys(optionTable).filter((name) => name !== 'config' && !isLive(name))
  return page(
    '# Options and commands',
    `\`npx countersign help COMMAND\` shows the flags of a command, with examples. Wrong use of the command line ends with status 2.`,
    table(
      ['command', ''],
      Object.entries(commands).map(([name, { summary }]) => [`\`${name}\``, summary]),
    ),
    `## Options

The first of these that sets an option wins:

1. a flag: \`--body-limit 1000\` or \`--body-limit=1000\`; \`--no-watch\` is \`--watch=false\`;
2. an environment variable: \`COUNTERSIGN_BODY_LIMIT=1000\`; \`COUNTERSIGN_SCENARIO\` takes a comma-separated list;
3. a key of the config file: \`bodyLimit: 1000\`;
4. its default.

[\`startMockServer({ bodyLimit: 1000 })\`](in-process.md) takes the same options.`,
    table(['option', 'default', ''], rows),
    `An edit of the config file takes effect at once, except for these keys, which need a restart:
${[...fixed, 'interpretations'].map((name) => `\`${name}\``).join(', ')}.`,
    `## The config file

Paths in it are relative to its folder. \`npx countersign init\` writes one to start from, with a scenario and fixtures; editors
complete these files with the JSON Schemas in \`dist/schemas\`.`,
    code(
      'yaml config',
      `version: 1
port: 4011
fixtures: ./fixtures
active: [addOrganizationMember:409]   # scenarios and outcomes that are on
sandboxes: { worker-3: { active: [] } } # what is on in this sandbox, in place of the line above
invitations: { accept: { after: 3s } } # or manual (the default), or immediately
interpretations: { successStatus: 201 }`,
    ),
    `[\`active\` and \`sandboxes\`](scenarios.md#edits-while-the-server-runs), \`invitations\`, \`interpretations\` and
[\`mutate\`](mutate.md#as-a-gate) have no flag or variable.

## The environment

A misspelt \`COUNTERSIGN_…\` variable is an error that names the right one; an unrecognised one is a warning. An empty
variable counts as not set. \`exec\` gives its command [more variables](ci.md); \`verify\` reads \`COUNTERSIGN_TOKEN\`.

countersign keeps its compiled code between starts, in the folder \`.compiled\` beside the program, if it may write there;
\`NODE_DISABLE_COMPILE_CACHE=1\` turns this off.`,
  )
}

function valuesOf({ type, minimum, maximum, enum: values }) {
  if (values !== undefined) return ` One of ${values.map((value) => `\`${value}\``).join(', ')}.`
  return type === 'integer' ? ` From ${minimum} to ${maximum}.` : ''
}

function defaultOf({ default: fallback }) {
  return fallback === undefined || Array.isArray(fallback) ? '' : `\`${fallback}\``
}
