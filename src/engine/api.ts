import type { Faker } from '@faker-js/faker'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Contract } from './contract/contract.js'
import { deepFreeze } from './contract/freeze.js'
import type { Switches, SwitchValues } from './contract/switches.js'
import type { CollectionDefinition, Fixtures } from './files/collections.js'
import type { Html } from './html.js'
import type { SampleFiles } from './judge/sample-call.js'
import type { Operation } from './operation.js'
import type { Sandbox, SandboxApi } from './sandbox/sandbox.js'
import type { Sandboxes } from './sandbox/sandboxes.js'
import type { ShippedScenarios } from './sandbox/scenarios/load.js'

export interface Page {
  /** Ends in `/:id`. */
  readonly path: string
  readonly title: string
  /** Such as `invitation`, for `No such invitation`. */
  readonly recordNoun: string
  readonly actions: readonly string[]
  /** Undefined if no record has this id. `linkPrefix` precedes the id in the page's links. */
  show(sandbox: Sandbox, id: string, linkPrefix: string): Html | undefined
  /** Does nothing if the action is no longer possible. */
  act(sandbox: Sandbox, id: string, action: string): void
}

export interface BulkGenerator {
  readonly flag: string
  readonly label: string
  readonly collection: CollectionDefinition
  /** `nth` counts from 1; the record refers to records of `fixtures`. */
  make(faker: Faker, nth: number, fixtures: Fixtures): object
}

export interface AdminContext {
  readonly sandboxes: Sandboxes
  readonly contracts: readonly Contract[]
  readonly version: string
  sandboxOf(request: Pick<FastifyRequest, 'originalUrl'>): Sandbox
}

/** Routes below `/__admin`, with schemas for their input. */
export type AdminRoutes = (routes: Parameters<FastifyPluginAsyncTypebox>[0], context: AdminContext) => void

/** All that the engine, the server and the commands know of an API. */
export interface Api extends SandboxApi {
  readonly name: string
  readonly operations: readonly Operation[]
  readonly sampleOutcome: string
  readonly resources: Readonly<Record<string, TSchema>>
  readonly switches: Switches
  readonly config: Readonly<Record<string, TSchema>>
  readonly pages: readonly Page[]
  readonly admin: readonly AdminRoutes[]
  /** Called before pages and the admin API show the state. */
  prepare?(sandbox: Sandbox): void
  readonly fixturesPath: string
  readonly starterFolder: string
  readonly sampleFiles: SampleFiles
  scenarios(): ShippedScenarios
  bulk(): Promise<readonly BulkGenerator[]>
  /** By tool, such as `verify`: imports what that tool needs to know of this API. */
  readonly forTools: Readonly<Record<string, () => Promise<unknown>>>
}

export function contractsOf({ operations }: Pick<Api, 'operations'>): readonly Contract[] {
  return operations.map(({ contract }) => contract)
}

export function applySwitches(api: Api, values: SwitchValues): Api {
  const applyAll = (contract: Contract) =>
    deepFreeze(Object.values(api.switches).reduce((before, { apply }) => apply(before, values), contract))
  return { ...api, operations: api.operations.map((one) => ({ ...one, contract: applyAll(one.contract) })) }
}
