import { UnusableFiles } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import type { CompiledScenario } from './compile.js'
import { MOST_RULES, type ReadyRule } from './scenario.js'

/**
 * Puts a scenario's rules behind those that it extends, which `rulesOf` finds by name.
 * @throws {InvalidFiles} for more rules than a scenario may have, and what `rulesOf` throws
 */
export async function extendedRules(
  source: SourceFile,
  { file, rules: own }: CompiledScenario,
  rulesOf: (name: string, at: number) => Promise<readonly ReadyRule[]>,
): Promise<readonly ReadyRule[]> {
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
  return [...extended, ...own]
}
