import { escapeHtml } from './html.js'

/** One case of a JUnit report; one with a failure has failed, one with a note alone has passed. */
export interface TestCase {
  readonly classname: string
  readonly name: string
  /** Seconds. */
  readonly time?: number
  readonly failure?: { readonly message: string; readonly text: string }
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
  return `tests="${cases.length}" failures="${cases.filter(({ failure }) => failure !== undefined).length}"`
}

function element({ classname, name, time, failure, note }: TestCase): string {
  const duration = time === undefined ? '' : ` time="${time.toFixed(3)}"`
  const head = `    <testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}"${duration}`
  if (failure !== undefined) {
    const { message, text } = failure
    return `${head}>\n      <failure message="${escapeXml(message)}">${escapeXml(text)}</failure>\n    </testcase>`
  }
  return note === undefined
    ? `${head}/>`
    : `${head}>\n      <system-out>${escapeXml(note)}</system-out>\n    </testcase>`
}

/** Characters that XML 1.0 forbids are left out. */
function escapeXml(text: string): string {
  return escapeHtml(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
}
