import { escapeUTF8 } from 'entities'
import type { Report, TestCase } from '../../tools/report/report.js'

export function junitText({ title, suites }: Report, fileName: (file: string) => string): string {
  const nonEmpty = Object.entries(suites).filter(([, cases]) => cases.length > 0)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(title)}" ${totals(nonEmpty.flatMap(([, cases]) => cases))}>`,
    ...nonEmpty.flatMap(([name, cases]) => [
      `  <testsuite name="${escapeXml(name)}" ${totals(cases)}>`,
      ...cases.map((testCase) => element(testCase, fileName)),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n')
}

function totals(cases: readonly TestCase[]): string {
  const count = (key: 'failure' | 'skipped') => cases.filter((testCase) => testCase[key] !== undefined).length
  // Cases have no durations: the time is that of the whole run.
  const seconds = (performance.now() / 1_000).toFixed(3)
  return `tests="${cases.length}" failures="${count('failure')}" skipped="${count('skipped')}" time="${seconds}"`
}

function element({ classname, name, file, failure, skipped, note }: TestCase, fileName: (file: string) => string) {
  const place = file === undefined ? '' : ` file="${escapeXml(fileName(file))}"`
  const head = `    <testcase classname="${escapeXml(classname)}" name="${escapeXml(name)}"${place}`
  const [first = ''] = failure?.split('\n') ?? []
  const inner = [
    failure && `<failure message="${escapeXml(first)}">${escapeXml(failure, '\n')}</failure>`,
    skipped && `<skipped message="${escapeXml(skipped)}"/>`,
    note && `<system-out>${escapeXml(note, '\n')}</system-out>`,
  ].find((text) => text !== undefined)
  return inner === undefined ? `${head}/>` : `${head}>\n      ${inner}\n    </testcase>`
}

/** Omits characters that XML 1.0 forbids. Only texts of elements keep their line breaks. */
function escapeXml(text: string, lineBreak = ' '): string {
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  return escapeUTF8(allowed.replace(/\r\n?|[\n\u2028\u2029]/g, lineBreak))
}
