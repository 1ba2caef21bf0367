import { escapeHtml } from './html.js'

/** One case of a JUnit report; one with neither a failure nor a reason to be skipped has passed. */
export interface TestCase {
  readonly classname: string
  readonly name: string
  /** Seconds. */
  readonly time?: number
  readonly failure?: { readonly message: string; readonly text: string }
  /** Why it was not run. */
  readonly skipped?: string
  readonly note?: string
}

export interface TestSuite {
  readonly name: string
  readonly cases: readonly TestCase[]
}

/** A report as CI systems read it. */
export function junitReport(name: string, suites: readonly TestSuite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}" ${totals(suites.flatMap(({ cases }) => cases))}>`,
    ...suites.flatMap(({ name, cases }) => [
      `  <testsuite name="${escapeXml(name)}" ${totals(cases)}>`,
      ...cases.map(element),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function totals(cases: readonly TestCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter((one) => one.skipped !== undefined).length
  return `tests="${cases.length}" failures="${failures}"${skipped === 0 ? '' : ` skipped="${skipped}"`}`
}

function element({ classname, name, time, failure, skipped, note }: TestCase): string {
  const duration = time === undefined ? '' : ` time="${time.toFixed(3)}"`
  const head = `    <testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}"${duration}`
  if (failure !== undefined) {
    const { message, text } = failure
    return `${head}>\n      <failure message="${escapeXml(message)}">${escapeXml(text)}</failure>\n    </testcase>`
  }
  if (skipped !== undefined) return `${head}>\n      <skipped message="${escapeXml(skipped)}"/>\n    </testcase>`
  return note === undefined
    ? `${head}/>`
    : `${head}>\n      <system-out>${escapeXml(note)}</system-out>\n    </testcase>`
}

/** Characters that XML 1.0 forbids are left out. */
function escapeXml(text: string): string {
  return escapeHtml(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
}
