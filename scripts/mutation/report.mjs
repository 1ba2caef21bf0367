const KILLERS = { compiler: 'the compiler', build: 'the build', tests: 'tests', time: 'time' }

/** A mutant in a line, and below it why it was killed. */
export function inShort({ file, line, kind, killer }, number, milliseconds) {
  const fate = killer === undefined ? 'SURVIVED' : `killed by ${KILLERS[killer.by]}`
  const seconds = (milliseconds / 1000).toFixed(0).padStart(4)
  const why = killer === undefined ? [] : [`     ${killer.why}`]
  return [
    `${String(number).padStart(3)}  ${fate.padEnd(22)} ${seconds} s  ${placeOf({ file, line, kind })}`,
    ...why,
  ].join('\n')
}

/** The lines of a mutant as they were, and as they are with it. */
export function inDetail({ file, line, kind, text, start, end, replacement }) {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const to = text.indexOf('\n', end)
  const after = text.slice(from, start) + replacement + text.slice(end, to)
  const signed = (sign, part) => part.split('\n').map((one) => `  ${sign} ${one}`)
  return ['', placeOf({ file, line, kind }), ...signed('-', text.slice(from, to)), ...signed('+', after)].join('\n')
}

function placeOf({ file, line, kind }) {
  return `${file}:${line}  ${kind}`
}

/** How many were killed, by what, and how many in each room. */
export function scoreOf(results) {
  const dead = results.filter(({ killer }) => killer !== undefined)
  const share = (some, all) =>
    `${some.length} of ${all.length} killed (${((100 * some.length) / all.length).toFixed(0)} %)`
  const causes = Object.entries(KILLERS).map(
    ([by, words]) => `${dead.filter((one) => one.killer.by === by).length} by ${words}`,
  )
  const rooms = [...new Set(results.map(({ room }) => room))].map((room) => {
    const inside = (one) => one.room === room
    return `  ${String(room).padEnd(22)} ${share(dead.filter(inside), results.filter(inside))}`
  })
  return ['', `${share(dead, results)}: ${causes.join(', ')}`, ...rooms].join('\n')
}
