import { inspect } from 'node:util'
import { first, indent, linesOf, printable } from './text.mjs'

const MOST_LINES = 20
const LABELS = { found: 'got', doNotWant: 'not wanted', expected: 'wanted', actual: 'got' }
/** What the runner adds to each failure, shown elsewhere or of no use to a reader. */
const KNOWN = ['at', 'stack', 'source', 'diff', 'compare', 'test', 'tapCaught', 'expired']
/** What an assertion of Node's own has besides. */
const OF_ASSERTION = ['type', 'generatedMessage', 'code', 'operator']

/** A failed assertion in words: where it is, what it says, and what was wanted and got. */
export function failureLines({ fullname, tapError, diag }, paint) {
  const details = diag ?? {}
  return [
    paint('red', `✗ ${printable(fullname)}`),
    ...indent(
      [
        ...(tapError ? [printable(tapError)] : []),
        ...placeLines(details, paint),
        ...differenceLines(details.diff ?? '', paint),
        ...otherLines(details),
        ...stackLines(details, paint),
      ],
      2,
    ),
  ]
}

function placeLines({ at, source = '' }, paint) {
  if (!at?.fileName) return []
  return [
    paint('dim', printable(`at ${at.fileName}:${at.lineNumber}:${at.columnNumber}`)),
    ...indent(statement(source).map(printable), 2),
  ]
}

/** The line that a caret points at, and those that finish its statement, as far as they are known. */
function statement(source) {
  const lines = source.split('\n')
  const caret = lines.findIndex((line) => /^-*\^$/.test(line))
  if (caret < 1) return []
  const found = [lines[caret - 1]]
  for (const line of lines.slice(caret + 1)) {
    if (line.trim() === '' || !/[([{,]$/.test(found.at(-1))) break
    found.push(line)
  }
  const margin = Math.min(...found.map((line) => line.search(/\S/)))
  return found.map((line) => line.slice(margin))
}

/** A unified diff, without its head: what is wanted begins with a minus, what was got with a plus. */
function differenceLines(diff, paint) {
  const lines = linesOf(diff.replace(/^--- .*\n\+\+\+ .*\n@@ .*\n/, ''))
    .filter((line) => !line.startsWith('\\ '))
    .map((line) => (line.startsWith('@@ ') ? ' …' : line))
  if (lines.length === 0) return []
  const [wanted, got] = lines
  if (lines.length === 2 && wanted.startsWith('-') && got.startsWith('+'))
    return pairLines(wanted.slice(1), got.slice(1), paint)
  const shown = first(lines, MOST_LINES).map((line) => {
    const colour = { '-': 'green', '+': 'red' }[line[0]]
    return colour ? paint(colour, printable(line)) : printable(line)
  })
  return [`${paint('green', '- wanted')}  ${paint('red', '+ got')}`, ...shown]
}

/** Two values of one line each; what both begin with is left out where it would hide the difference. */
function pairLines(wanted, got, paint) {
  let same = 0
  while (same < wanted.length && wanted[same] === got[same]) same++
  const skipped = Math.max(0, same - 60)
  const show = (value) => printable((skipped > 0 ? '…' : '') + value.slice(skipped))
  return [`wanted: ${paint('green', show(wanted))}`, `got:    ${paint('red', show(got))}`]
}

/** What a test says besides. */
function otherLines(details) {
  const known = isAssertion(details) ? [...KNOWN, ...OF_ASSERTION] : KNOWN
  return Object.entries(details)
    .filter(([name, value]) => !known.includes(name) && value !== null && value !== undefined && value !== '')
    .flatMap(([name, value]) => valueLines(LABELS[name] ?? name, value))
}

function valueLines(name, value) {
  const text = typeof value === 'string' ? value : inspect(value, { depth: 8, maxArrayLength: MOST_LINES })
  const lines = first(linesOf(text), MOST_LINES).map(printable)
  return lines.length === 1 ? [`${name}: ${lines[0]}`] : [`${name}:`, ...indent(lines, 2)]
}

/** Where an error that nobody expected came from; an assertion has its place. */
function stackLines(details, paint) {
  const { tapCaught, stack } = details
  if (!tapCaught || !stack || isAssertion(details)) return []
  return first(linesOf(stack), MOST_LINES).map((line) => paint('dim', printable(`from ${line}`)))
}

function isAssertion({ code }) {
  return code === 'ERR_ASSERTION'
}
