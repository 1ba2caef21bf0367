import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { CitableTexts } from './contract/citable-texts.js'
import type { DataComplaint } from './contract/complaint.js'
import type { Contract } from './contract/contract.js'
import type { KeptAnswer } from './journal/exchange.js'
import type { Scenario } from './sandbox/scenarios/scenario.js'
import type { EngineSettings } from './sandbox/settings.js'

/** Where a tool sends calls. */
export interface CallDestination {
  /** Such as `the real service`. */
  readonly name: string
  /** Completes the sentence `Calls are …`. */
  readonly calls: string
  /** Printed in place of the fixtures' tokens. */
  readonly tokens: string
}

export interface LogNote {
  readonly about: string
  readonly message: string
}

export interface ToolList {
  readonly description: string
  data(contracts: readonly Contract[]): Promise<readonly Readonly<Record<string, string | readonly string[]>>[]>
}

/** `Parts`: what the program that starts the server hands to the tool, such as functions to call. */
export interface Tool<Settings extends EngineSettings = EngineSettings, Parts = object> {
  readonly options?: Readonly<Record<string, TSchema>>
  readonly config?: Readonly<Record<string, TSchema>>
  readonly preferences?: Readonly<Record<string, string>>
  /** @throws {InvalidOption} for unusable settings */
  check?(settings: Settings): void
  checkConfig?(settings: Settings, contracts: readonly Contract[]): Promise<readonly DataComplaint[]>
  readonly lists?: Readonly<Record<string, ToolList>>
  destination?(settings: Settings): CallDestination | undefined
  findScenario?(name: string, contracts: readonly Contract[], texts: CitableTexts): Scenario | undefined
  /** Printed below an exchange. */
  logNotes?(answer: KeptAnswer): readonly LogNote[]
  /** See `http/decorations.ts`. */
  register(app: FastifyInstance, settings: () => Settings, parts: Parts): void
}
