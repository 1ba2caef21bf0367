import { type Static, Type } from '@sinclair/typebox'
import type { DataComplaint } from '../../engine/contract/complaint.js'
import type { Contract } from '../../engine/contract/contract.js'
import { closedObject } from '../../engine/contract/fields.js'
import { quote } from '../../engine/contract/wording.js'
import { readSource } from '../../engine/files/source-file.js'
import { validateSource } from '../../engine/files/validate-source.js'
import type { EngineSettings } from '../../engine/sandbox/settings.js'
import { mutantsOf } from './mutants.js'

export const MutateSettings = closedObject(
  {
    except: Type.Optional(
      Type.Array(closedObject({ mutant: Type.String({ minLength: 1 }), why: Type.String({ minLength: 1 }) }), {
        description: 'Mutants that are not tried, each with the reason.',
      }),
    ),
  },
  { description: "Mutants that 'countersign mutate' skips." },
)
type MutateSettings = Static<typeof MutateSettings>

export type ExceptedMutant = NonNullable<MutateSettings['except']>[number]

export function exceptedMutants({ extraConfig }: Pick<EngineSettings, 'extraConfig'>): readonly ExceptedMutant[] {
  // The schema of the config file has checked it.
  return (extraConfig.mutate as MutateSettings | undefined)?.except ?? []
}

/** In a pattern, * stands for any text. */
export function matchesMutant(pattern: string, id: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(id)
}

export async function checkExcepted(settings: Pick<EngineSettings, 'extraConfig'>, contracts: readonly Contract[]) {
  const patterns = exceptedMutants(settings).map(({ mutant }) => mutant)
  return findUnknownMutants(patterns, contracts, (at) => ['mutate', 'except', at, 'mutant'])
}

function findUnknownMutants(
  patterns: readonly string[],
  contracts: readonly Contract[],
  pathOf: (at: number) => DataComplaint['path'],
): readonly DataComplaint[] {
  if (patterns.length === 0) return []
  const mutants = contracts.flatMap(mutantsOf)
  return [...patterns.entries()].flatMap(([at, pattern]) => {
    if (mutants.some(({ id }) => matchesMutant(pattern, id))) return []
    const message = `There is no mutant ${quote(pattern)}. 'npx countersign list mutants' shows them all.`
    return { path: pathOf(at), message }
  })
}

const AcceptedFile = closedObject({ version: Type.Literal(1), accepted: Type.Array(Type.String({ minLength: 1 })) })

/** Returns patterns of accepted mutants. @throws {InvalidFiles} with every complaint about the file */
export async function readAccepted(file: string, contracts: readonly Contract[]): Promise<readonly string[]> {
  const source = await readSource(file)
  const { accepted = [] } = (source.data ?? {}) as Partial<Static<typeof AcceptedFile>>
  const names = Array.isArray(accepted) ? accepted.map(String) : []
  const unknown = findUnknownMutants(names, contracts, (at) => ['accepted', at])
  await validateSource(source, AcceptedFile, source.data, unknown)
  return names
}
