import { interpretations } from '../../schemas/interpretations.js'
import { junitReport, type TestCase } from '../text/junit.js'
import type { Finding } from './check-answer.js'
import type { Result, Verdict } from './verify.js'

/** Whether a result counts against the provider; a departure from our reading does only when strict. */
export function counts({ verdict }: Result, strict: boolean): boolean {
  return verdict === 'failed' || (strict && verdict === 'differs')
}

const MARKS: Readonly<Record<Verdict, string>> = { ok: '✓', differs: '~', failed: '✗' }

/** Operations and their probes, with what came of each, and below it why. */
export function table(results: readonly Result[], strict: boolean): string {
  const rows = results.map(
    ({ probe, verdict }) => [probe.contract.id, probe.name, `${MARKS[verdict]} ${verdict}`] as const,
  )
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] as string).length)))
  const lines = rows.map(([operation, probe, verdict], at) => {
    const name = operation === rows[at - 1]?.[0] ? '' : operation
    return `${name.padEnd(widths[0] as number)}  ${probe.padEnd(widths[1] as number)}  ${verdict}`
  })
  return [...lines, ...reasons(results), '', summary(results, strict)].join('\n')
}

function reasons(results: readonly Result[]): string[] {
  const departing = results.filter(({ findings }) => findings.length > 0)
  const numbers = new Set(departing.flatMap(({ findings }) => findings.flatMap(({ reading }) => reading ?? [])))
  const readings = interpretations.filter(({ id }) => numbers.has(id))
  return [
    ...alike(departing).flatMap(({ heading, names, text }) => ['', `${heading}  ${names.join(', ')}`, text]),
    ...(readings.length === 0 ? [] : ['', 'Our readings, where the document is silent:']),
    ...readings.map(({ id, about, decision }) => `  ${id} ${about}: ${decision}`),
  ]
}

/** Probes of one operation that found the same are listed together. */
function alike(results: readonly Result[]): { heading: string; names: string[]; text: string }[] {
  const groups = new Map<string, { heading: string; names: string[]; text: string }>()
  for (const { probe, verdict, findings } of results) {
    const heading = `${MARKS[verdict]} ${probe.contract.id}`
    const text = findings.map((finding) => `    ${sentence(finding)}`).join('\n')
    const group = groups.get(heading + text)
    if (group === undefined) groups.set(heading + text, { heading, names: [probe.name], text })
    else group.names.push(probe.name)
  }
  return [...groups.values()]
}

function sentence({ outcome, where, message, reading }: Finding): string {
  const ours = `differs from our reading${reading === undefined ? '' : ` (${reading})`}: `
  return `${where}: ${outcome === 'differs' ? ours : ''}${message}`
}

function summary(results: readonly Result[], strict: boolean): string {
  const count = (wanted: Verdict) => results.filter(({ verdict }) => verdict === wanted).length
  const against = strict && count('differs') > 0 ? ' (--strict: these count)' : ''
  return `${count('ok')} ok, ${count('differs')} differing from our reading${against}, ${count('failed')} failed.`
}

/** The results as JUnit test cases, a suite for each operation. */
export function resultsAsJunit(results: readonly Result[], strict: boolean): string {
  const operations = [...new Set(results.map(({ probe }) => probe.contract.id))]
  const suites = operations.map((id) => {
    const own = results.filter(({ probe }) => probe.contract.id === id)
    return { name: id, cases: own.map((result) => testCase(result, strict)) }
  })
  return junitReport('countersign verify', suites)
}

function testCase(result: Result, strict: boolean): TestCase {
  const { probe, findings, duration } = result
  const head = { classname: `countersign.verify.${probe.contract.id}`, name: probe.name, time: duration / 1_000 }
  const [first] = findings
  if (first === undefined) return head
  const text = findings.map(sentence).join('\n')
  return counts(result, strict) ? { ...head, failure: { message: sentence(first), text } } : { ...head, note: text }
}
