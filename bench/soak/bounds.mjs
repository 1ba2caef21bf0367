/**
 * What each figure may do, in MiB or in descriptors. From the middle of a phase to its end it may `climb` by so much, and by
 * that share of what it was. When all is forgotten, so much may be `left` beyond what there was after the warm-up.
 * Memory is looked at when garbage has been collected. What is left between two collections of the same state differs by
 * up to 10 MiB of resident memory and 3 MiB of heap, and a large heap leaves more gaps than a small one.
 */
const bounds = {
  resident: { climb: 24, share: 0.1, left: 32, unit: 'MiB resident' },
  heap: { climb: 8, share: 0.2, left: 8, unit: 'MiB of heap' },
  // Connections come and go while they are counted, and a client's kept ones close a little later.
  descriptors: { climb: 32, share: 0.02, left: 8, unit: 'descriptors' },
}

/** MiB that may be resident at any moment, garbage included: the bounded heap, and the buffers on top. */
const MOST_RESIDENT = 640

/** What is wrong with the figures of a phase, in words. */
export function complaintsOf({ middle, end, after, peak }, baseline) {
  const found = Object.entries(bounds).flatMap(([name, { climb, share, left, unit }]) => [
    ...beyond(end[name] - middle[name], climb + share * middle[name], `more ${unit} at the end than in the middle`),
    ...beyond(after[name] - baseline[name], left, `more ${unit} afterwards than before all phases`),
  ])
  return [...found, ...beyond(peak, MOST_RESIDENT, 'MiB resident at the peak')]
}

/** Whether all has come back that must. */
export function isBack(usage, baseline) {
  return Object.entries(bounds).every(([name, { left }]) => usage[name] - baseline[name] <= left)
}

function beyond(amount, most, what) {
  return amount > most ? [`${amount.toFixed(0)} ${what}; at most ${most.toFixed(0)} may be`] : []
}
