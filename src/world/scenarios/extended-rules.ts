import { type Complaint, UnusableFiles } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import type { CompiledScenario } from './compile.js'
import { MOST_RULES, type ReadyRule } from './scenario.js'

/** The rules of a scenario, those that it extends first, and what is odd about its own. */
export interface ExtendedRules {
  readonly rules: readonly ReadyRule[]
  /** Rules that can never answer. */
  readonly notes: readonly Complaint[]
}

/**
 * Puts a scenario's rules behind those that it extends, which `rulesOf` finds by name.
 * @throws {InvalidFiles} for more rules than a scenario may have, and what `rulesOf` throws
 */
export async function extendedRules(
  source: SourceFile,
  { file, rules: own }: CompiledScenario,
  rulesOf: (name: string, at: number) => Promise<readonly ReadyRule[]>,
): Promise<ExtendedRules> {
  const extended: ReadyRule[] = []
  const requireRoom = async (path: readonly (string | number)[], count: number) => {
    if (count <= MOST_RULES) return
    const message = `Including what it extends, the scenario has more than ${MOST_RULES} rules.`
    throw new UnusableFiles([await source.complain('too-large', path, message)])
  }
  for (const [at, name] of (file.extends ?? []).entries()) {
    extended.push(...(await rulesOf(name, at)))
    await requireRoom(['extends', at], extended.length)
  }
  await requireRoom(['rules'], extended.length + own.length)
  return { rules: [...extended, ...own], notes: await notesOn(source, extended, own) }
}

/** Complains about each of a file's own rules whose calls are all answered by earlier rules. */
async function notesOn(
  source: SourceFile,
  extended: readonly ReadyRule[],
  own: readonly ReadyRule[],
): Promise<readonly Complaint[]> {
  const notes: Complaint[] = []
  /** By condition and operation, the first rule that answers all such calls. */
  const answeredBy = new Map<string, number>()
  for (const [at, { on = ['*'], when = {}, times, chance = 1 }] of [...extended, ...own].entries()) {
    const condition = JSON.stringify(when)
    const wider = ['{}', JSON.stringify({ state: when.state }), condition]
    const earlier = Array.from(
      on,
      (id) => wider.flatMap((one) => answeredBy.get(`${one} ${id}`) ?? answeredBy.get(`${one} *`) ?? [])[0],
    )
    if (at >= extended.length && !earlier.includes(undefined)) {
      const names = [...new Set(earlier as number[])].map((one) =>
        one < extended.length ? 'a rule of a scenario that it extends' : `rule ${one - extended.length + 1}`,
      )
      const message = `This rule can never answer, because its calls are always answered by ${[...new Set(names)].join(' and ')}. Put it before, or remove it.`
      notes.push(await source.complain('rule', ['rules', at - extended.length], message))
    }
    const isGreedy = times === undefined && chance === 1
    for (const id of isGreedy ? on : []) {
      const key = `${condition} ${id}`
      if (!answeredBy.has(key)) answeredBy.set(key, at)
    }
  }
  return notes
}
