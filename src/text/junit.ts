import { escapeHtml } from './html.js'
import type { Report, TestCase } from './report.js'

/** A report as CI systems read it. */
export function junitText({ name, suites }: Report): string {
  const filled = suites.filter(({ cases }) => cases.length > 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(name)}" ${totals(filled.flatMap(({ cases }) => cases))}>`,
    ...filled.flatMap(({ name, cases }) => [
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

function element({ classname, name, failure, skipped, note }: TestCase): string {
  const head = `    <testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}"`
  const inner = [
    failure && `<failure message="${escapeXml(failure.message)}">${escapeXml(failure.text)}</failure>`,
    skipped && `<skipped message="${escapeXml(skipped)}"/>`,
    note && `<system-out>${escapeXml(note)}</system-out>`,
  ].find((one) => one !== undefined)
  return inner === undefined ? `${head}/>` : `${head}>\n      ${inner}\n    </testcase>`
}

/** Characters that XML 1.0 forbids are left out. */
function escapeXml(text: string): string {
  return escapeHtml(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
}
