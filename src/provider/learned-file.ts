import type { InterpretationsFile } from '../../schemas/config.js'
import type { InterpretationId, SwitchName } from '../../schemas/interpretations.js'
import { interpretationOf, type Lesson } from './readings/lesson.js'
import { valueFrom } from './readings/value.js'

/** One thing that was seen, as it stands in a learned file. */
export interface Seen {
  readonly switch: SwitchName
  readonly operation: string
  readonly value: unknown
  /** The day, as `2026-01-15`. */
  readonly at: string
  /** The status and the shape that showed it. */
  readonly shown: string
}

/** What was learned of a provider: a file for `--interpretations`. */
export interface LearnedFile extends InterpretationsFile {
  readonly version: 1
  readonly learned: NonNullable<InterpretationsFile['learned']>
  readonly evidence: Readonly<Partial<Record<InterpretationId, readonly Seen[]>>>
}

/** What some lessons say; what they leave open is kept from `before`, which was learned of the same provider. */
export function learnedFrom(
  lessons: readonly Lesson[],
  target: string,
  at: Date,
  before?: Pick<InterpretationsFile, 'evidence'>,
): LearnedFile {
  const day = at.toISOString().slice(0, 10)
  const seen = lessons.flatMap(({ name, evidence }) =>
    evidence.map(({ operation, value, shown }): Seen => ({ switch: name, operation, value, at: day, shown })),
  )
  const all = new Map([...seenIn(before), ...seen].map((one) => [`${one.switch} ${one.operation}`, one]))
  return fileOf([...all.values()], target, at)
}

/** Everything in an order of its own, so that a file that is learned again differs where the provider does. */
function fileOf(seen: readonly Seen[], target: string, at: Date): LearnedFile {
  const ordered = [...seen].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const names = [...new Set(ordered.map((one) => one.switch))].sort()
  const values = names.map(
    (name) =>
      [
        name,
        valueFrom(
          name,
          ordered.filter((one) => one.switch === name),
        ),
      ] as const,
  )
  const ids = [...new Set(ordered.map((one) => interpretationOf(one.switch)))]
  return {
    version: 1,
    learned: { target, at: at.toISOString() },
    interpretations: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
    evidence: Object.fromEntries(ids.map((id) => [id, ordered.filter((one) => interpretationOf(one.switch) === id)])),
  }
}

const keyOf = (one: Seen) => `${interpretationOf(one.switch)} ${one.switch} ${one.operation}`

/** What a file says that was seen; entries that somebody wrote in another form say nothing to programs. */
export function seenIn(file: Pick<InterpretationsFile, 'evidence'> | undefined): Seen[] {
  return Object.values(file?.evidence ?? {})
    .flatMap((one) => (Array.isArray(one) ? one : []))
    .filter(isSeen)
}

function isSeen(value: unknown): value is Seen {
  if (typeof value !== 'object' || value === null) return false
  const { switch: name, operation, at, shown } = value as Partial<Seen>
  return [name, operation, at, shown].every((one) => typeof one === 'string') && 'value' in value
}

const HEAD = `# How a provider reads what the document leaves open, as found by 'countersign learn'.
# To use this file: countersign --interpretations FILE. To check the provider against it: countersign verify --interpretations FILE.
`

/** The file as people read it. */
export async function asYaml(file: LearnedFile): Promise<string> {
  const { stringify } = await import('../text/yaml.js')
  return HEAD + stringify(file, { lineWidth: 0, aliasDuplicateObjects: false })
}
