/** Tests whose requests go through nearly everything. */
const EVERYWHERE = [
  'test/contract/outcomes.test.ts',
  'test/statements/statements.test.ts',
  'test/violations/cases.test.ts',
]

/**
 * What is mutated, and the test files that are the likeliest to notice, in order: the first one that fails ends the search.
 * What passes them all is tried with the whole suite.
 * Files that no line names are not mutated; mutants are spread evenly over the rooms.
 */
const lines = [
  {
    room: 'src/operations',
    files: /^src\/operations\/(invitation|invitation-mail|handlers\/(add-|update-).*)\.ts$/,
    tests: [
      'test/contract/rules-members.test.ts',
      'test/worlds/invitations.test.ts',
      'test/pages/pages.test.ts',
      ...EVERYWHERE,
    ],
  },
  {
    room: 'src/operations',
    files: /^src\/operations\/(image|pdf.*|handlers\/(upload-|verify-).*)\.ts$/,
    tests: [
      'test/contract/rules-documents.test.ts',
      'test/contract/pdf-codes.test.ts',
      'test/contract/hostile-pdfs.test.ts',
      ...EVERYWHERE,
    ],
  },
  {
    room: 'src/operations',
    files: /^src\/operations\//,
    tests: [
      'test/contract/rules-reading.test.ts',
      'test/contract/rules-documents.test.ts',
      ...EVERYWHERE,
      'test/cli/banner.test.ts',
    ],
  },
  {
    room: 'src/validation',
    files: /^src\/validation\/(check|explain|deviations)\.ts$/,
    tests: [
      'test/scenarios/files.test.ts',
      'test/scenarios/effects.test.ts',
      'test/worlds/worlds.test.ts',
      'test/provider/verify.test.ts',
      'test/violations/violations.test.ts',
      'test/contract/rules-members.test.ts',
      ...EVERYWHERE,
    ],
  },
  {
    room: 'src/validation',
    files: /^src\/validation\//,
    tests: [
      'test/violations/mistakes.test.ts',
      'test/switches/config.test.ts',
      'test/violations/violations.test.ts',
      'test/contract/rules-reading.test.ts',
      ...EVERYWHERE,
    ],
  },
  {
    room: 'src/world/scenarios',
    files: /^src\/world\/scenarios\/(load|check-rule|library)\.ts$/,
    tests: [
      'test/scenarios/files.test.ts',
      'test/scenarios/rules.test.ts',
      'test/scenarios/shipped.test.ts',
      'test/scenarios/effects.test.ts',
      'test/scenarios/outcomes.test.ts',
      'test/handles/live.test.ts',
    ],
  },
  {
    room: 'src/world/scenarios',
    files: /^src\/world\/scenarios\//,
    tests: [
      'test/scenarios/rules.test.ts',
      'test/scenarios/outcomes.test.ts',
      'test/scenarios/effects.test.ts',
      'test/scenarios/shipped.test.ts',
      'test/handles/live.test.ts',
      'test/worlds/worlds.test.ts',
    ],
  },
  {
    room: 'src/world/state',
    files: /^src\/world\/state\/(lock|overlay|state-file|store)\.ts$/,
    tests: [
      'test/state/state-file.test.ts',
      'test/state/lock.test.ts',
      'test/state/foreign-changes.test.ts',
      'test/state/persist.test.ts',
      'test/worlds/worlds.test.ts',
      'test/state/persistence.model.test.ts',
      'test/worlds/worlds.model.long.test.ts',
    ],
  },
  {
    room: 'src/world/state',
    files: /^src\/world\/state\/(faker|fixtures|generate|placed-records)\.ts$/,
    tests: [
      'test/cli/seed.test.ts',
      'test/cli/validate.test.ts',
      'test/worlds/worlds.test.ts',
      'test/handles/live.test.ts',
      ...EVERYWHERE,
    ],
  },
  {
    room: 'src/world/state',
    files: /^src\/world\/state\//,
    tests: [
      'test/state/lookups.test.ts',
      'test/contract/rules-reading.test.ts',
      'test/worlds/worlds.test.ts',
      'test/contract/rules-members.test.ts',
      'test/handles/live.test.ts',
      'test/worlds/worlds.model.long.test.ts',
      'test/state/persistence.model.test.ts',
      ...EVERYWHERE,
    ],
  },
  {
    room: 'src/http (forms)',
    files: /^src\/http\/(body|api\/(form|multipart|unreadable-body|steps\/read-request))\.ts$/,
    tests: [
      'test/http/multipart-malformed.test.ts',
      'test/http/multipart-dialects.test.ts',
      'test/http/over-limit.test.ts',
      'test/http/cut-off.test.ts',
      'test/violations/violations.test.ts',
      'test/contract/rules-reading.test.ts',
      ...EVERYWHERE,
    ],
  },
]

/** The line that says of a file how it is mutated. */
export function lineOf(file) {
  return lines.find(({ files }) => files.test(file))
}
