import { lineOf } from './rooms.mjs'

/** Milliseconds that the compiler and the build may take, and a test file without a mutant. */
const COMPILE_LIMIT = 120_000
const TEST_LIMIT = 240_000
const SUITE_LIMIT = 900_000
/** A test file that takes so many times as long as without a mutant, and at least so long, is in an endless loop. */
const PATIENCE = 4
const LEAST_PATIENCE = 30_000

const COMPILE = { by: 'compiler', command: ['node_modules/.bin/tsc', '--noEmit'], limit: COMPILE_LIMIT }
const BUILD = { by: 'build', command: ['node', 'build.mjs'], limit: COMPILE_LIMIT }
const TEST_COMMAND = ['node', 'test/run/index.mjs']
/** The first that fails is enough. */
const TEST_ENVIRONMENT = { TAP_BAIL: '1' }

/**
 * What kills mutants in a scratch copy: compiler, build, the likeliest tests, and where those pass the whole suite.
 * @throws {Error} when one of them fails though nothing is altered
 */
export async function killersIn(scratch, mutants) {
  await mustPass(scratch, COMPILE)
  await mustPass(scratch, BUILD)
  const tests = new Map()
  for (const name of new Set(mutants.flatMap(({ file }) => lineOf(file).tests))) {
    const took = await mustPass(scratch, testStep(name, TEST_LIMIT))
    tests.set(name, testStep(name, Math.max(LEAST_PATIENCE, PATIENCE * took)))
    console.log(`${name} passes with nothing altered, in ${(took / 1000).toFixed(0)} s`)
  }
  const suite = { by: 'tests', command: TEST_COMMAND, environment: TEST_ENVIRONMENT, limit: SUITE_LIMIT }
  await mustPass(scratch, suite)
  return {
    /** What killed the mutant that stands in the copy, `{by, why}`; undefined when it has survived. */
    async of({ file }) {
      for (const step of [COMPILE, BUILD, ...lineOf(file).tests.map((name) => tests.get(name)), suite]) {
        const { result, output } = await scratch.run(step)
        if (result !== 'passed') return { by: result === 'late' ? 'time' : step.by, why: whyOf(step, output) }
      }
      return undefined
    },
  }
}

function testStep(test, limit) {
  return { by: 'tests', test, command: [...TEST_COMMAND, test], environment: TEST_ENVIRONMENT, limit }
}

/** The test file that failed, with the first assertion; what the compiler says first. */
function whyOf({ by, test }, output) {
  const [, assertion = ''] = /\n\n✗ (.*)$/m.exec(output) ?? []
  return by === 'tests' ? [test, assertion].filter((one) => one !== '').join(': ') : output.trim().split('\n')[0]
}

/** How many milliseconds a step takes. */
async function mustPass(scratch, step) {
  const began = performance.now()
  const { result, output } = await scratch.run(step)
  if (result === 'passed') return performance.now() - began
  throw new Error(`With nothing altered, '${step.command.join(' ')}' is ${result}.\n${output}`)
}
