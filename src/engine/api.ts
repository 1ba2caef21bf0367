import type { Faker } from '@faker-js/faker'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Contract } from './contract/contract.js'
import { type Switches, type SwitchValues, settleContracts } from './contract/switches.js'
import type { CollectionDefinition, Fixtures } from './files/collections.js'
import type { Html } from './html.js'
import type { SampleFiles } from './judge/sample-call.js'
import type { Operation } from './operation.js'
import type { Sandbox, SandboxApi } from './sandbox/sandbox.js'
import type { Sandboxes } from './sandbox/sandboxes.js'
import type { ShippedScenarios } from './sandbox/scenarios/load.js'

export interface Page {
  /** It ends in `/:id`. */
  readonly path: string
  readonly title: string
  readonly subject: string
  /** Buttons; each is a POST below the path. */
  readonly actions: readonly string[]
  /** Undefined if there is no such record. `here`: the relative URL of the page in its sandbox. */
  show(sandbox: Sandbox, id: string, here: string): Html | undefined
  /** Does nothing if the action is no longer possible. */
  act(sandbox: Sandbox, id: string, action: string): void
}

export interface BulkRecords {
  /** Its flag on the command line, in camel case. */
  readonly flag: string
  /** The records in words, such as `paid orders`. */
  readonly label: string
  readonly collection: CollectionDefinition
  /** The nth one, from 1; `fixtures` have the records that it refers to. */
  make(faker: Faker, nth: number, fixtures: Fixtures): object
}

export interface AdminContext {
  readonly sandboxes: Sandboxes
  readonly contracts: readonly Contract[]
  readonly version: string
  /** The root, or the sandbox in the URL of a call. */
  sandboxOf(request: Pick<FastifyRequest, 'originalUrl'>): Sandbox
}

/** Adds routes below `/__admin`; each route's schemas say what it takes. */
export type AdminRoutes = (routes: Parameters<FastifyPluginAsyncTypebox>[0], context: AdminContext) => void

/**
 * All that the engine, its server and its commands ask of an API: what the API document says of it, and what this package
 * does for it. Everything that names an operation, a rule, a record or a value comes from here.
 */
export interface Api extends SandboxApi {
  readonly name: string
  readonly operations: readonly Operation[]
  /** An outcome that examples in help and messages can name, such as `addOrder:409`. */
  readonly sampleOutcome: string
  /** Schemas with a name of their own in the OpenAPI document. */
  readonly resources: Readonly<Record<string, TSchema>>
  readonly switches: Switches
  /** Keys of the config file that are the API's own, such as how it answers for people. */
  readonly config: Readonly<Record<string, TSchema>>
  readonly pages: readonly Page[]
  /** Routes that it adds to the admin API. */
  readonly admin: readonly AdminRoutes[]
  /** Brings a sandbox up to date before pages and the admin API show its state; handlers do so themselves. */
  prepare?(sandbox: Sandbox): void
  readonly fixtures: string
  readonly starterFiles: string
  /** Files that samples of calls send. */
  readonly sampleFiles: SampleFiles
  scenarios(): ShippedScenarios
  bulk(): Promise<readonly BulkRecords[]>
  /** What single tools must know of it, by their names; each tool has the type of its own. */
  readonly forTools: Readonly<Record<string, () => Promise<unknown>>>
}

export function contractsOf({ operations }: Pick<Api, 'operations'>): readonly Contract[] {
  return operations.map(({ contract }) => contract)
}

export function settleApi(api: Api, values: SwitchValues): Api {
  const contracts = settleContracts(contractsOf(api), api.switches, values)
  return { ...api, operations: api.operations.map((one, at) => ({ ...one, contract: contracts[at] ?? one.contract })) }
}
