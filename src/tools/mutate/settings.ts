import { type Static, Type } from '@sinclair/typebox'
import type { DataComplaint } from '../../engine/contract/complaint.js'
import type { Contract } from '../../engine/contract/contract.js'
import { closedObject } from '../../engine/contract/fields.js'
import { quote } from '../../engine/contract/wording.js'
import type { EngineSettings } from '../../engine/sandbox/settings.js'

export const MutateSettings = closedObject(
  {
    except: Type.Optional(
      Type.Array(closedObject({ mutant: Type.String({ minLength: 1 }), why: Type.String({ minLength: 1 }) }), {
        description: 'Mutants that are not tried, each with the reason.',
      }),
    ),
  },
  { description: "What 'countersign mutate' leaves out." },
)
type MutateSettings = Static<typeof MutateSettings>

export type ExceptedMutant = NonNullable<MutateSettings['except']>[number]

export function exceptedMutants({ declared }: Pick<EngineSettings, 'declared'>): readonly ExceptedMutant[] {
  // The config file was checked against the schema.
  const own = declared.mutate as MutateSettings | undefined
  return own?.except ?? []
}

/** True if a mutant has this id, or one that the pattern with `*` matches. */
export function isNamedMutant(pattern: string, id: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(id)
}

export async function checkExcepted(
  settings: Pick<EngineSettings, 'declared'>,
  contracts: readonly Contract[],
): Promise<readonly DataComplaint[]> {
  const excepted = exceptedMutants(settings)
  if (excepted.length === 0) return []
  const { mutantsOf } = await import('./mutants.js')
  const known = contracts.flatMap(mutantsOf)
  return [...excepted.entries()].flatMap(([at, { mutant }]) => {
    if (known.some(({ id }) => isNamedMutant(mutant, id))) return []
    const message = `There is no mutant ${quote(mutant)}. 'countersign list mutants' shows them all.`
    return { path: ['mutate', 'except', at, 'mutant'], message }
  })
}
