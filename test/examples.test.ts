import { spawn } from 'node:child_process'
import t from 'tap'
import { outcomeIds } from '../schemas/scenario.js'

const ROOT = new URL('..', import.meta.url).pathname

/** Runs node in the project's folder, and resolves with its exit code and all it printed. */
function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  // A runner that sees another one's environment would report to it.
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env
  const child = spawn(process.execPath, args, { cwd: ROOT, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

const exec = (...args: string[]) => run('dist/cli.js', 'exec', ...args)

t.test('the node:test example passes', async (t) => {
  const { code, output } = await run('--test', 'examples/node-test/members.test.mjs')
  t.equal(code, 0, 'the example ends well', { output })
})

t.test('the sample suite passes under exec with the gates on', async (t) => {
  const gates = [
    '--fail-on',
    'violations,unmatched,deviations',
    '--require',
    'createSigningLink:500,searchProtectedAttachments:404',
    '--min-coverage',
    // What the suite meets: two searches, two links and a list of credits.
    `${Math.floor((100 * 5) / outcomeIds.length)}`,
  ]
  const { code, output } = await exec(...gates, '--', process.execPath, '--test', 'examples/exec/suite.test.mjs')
  t.equal(code, 0, 'the suite keeps every gate', { output })
})

const breaks: readonly (readonly [gate: readonly string[], script: string, says: RegExp])[] = [
  [['--fail-on', 'violations'], 'breaks-violations.mjs', /not-multipart[\s\S]*FormData/],
  [['--fail-on', 'unmatched'], 'breaks-unmatched.mjs', /GET \/api\/v2\/credit\/histories/],
  [['--fail-on', 'unused', '--scenario', 'flaky-network'], 'breaks-unmatched.mjs', /flaky-network#1/],
  [['--require', 'addOrganizationMember:409'], 'breaks-unmatched.mjs', /addOrganizationMember:409 was never met/],
  [['--min-coverage', '50'], 'breaks-unmatched.mjs', /50 % are required/],
]

t.test('a client that breaks a gate fails, and is told how to fix it', async (t) => {
  for (const [gate, script, says] of breaks) {
    const { code, output } = await exec(...gate, '--', process.execPath, `examples/exec/${script}`)
    t.equal(code, 1, `${gate.join(' ')} fails`)
    t.match(output, says, `${gate.join(' ')} says how to fix it`)
  }
})
