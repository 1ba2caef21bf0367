import type { TSchema } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import type { DataComplaint } from './contract/complaint.js'
import type { Contract } from './contract/contract.js'
import type { Rules } from './contract/rules.js'
import type { KeptAnswer } from './journal/exchange.js'
import type { Scenario } from './sandbox/scenarios/scenario.js'
import type { EngineSettings } from './sandbox/settings.js'

/** Where calls go that a tool does not leave to the operations, in words. */
export interface Elsewhere {
  /** What it is, such as `the real service`. */
  readonly name: string
  /** The option that names it, with its hyphens. */
  readonly option: string
  /** The end of the sentence that begins with `Calls are`. */
  readonly calls: string
  /** Whose tokens clients send. */
  readonly tokens: string
}

/** A failure that somebody should know of, though there is an answer. */
export interface LogNote {
  /** Such as `the real service`. */
  readonly about: string
  readonly message: string
}

export interface ToolList {
  /** The content, in words. */
  readonly holds: string
  data(contracts: readonly Contract[]): Promise<readonly Readonly<Record<string, string | readonly string[]>>[]>
}

/** What a tool brings along. `Parts` are what the program that starts a server may give it. */
export interface Tool<Settings extends EngineSettings = EngineSettings, Parts = object> {
  readonly name: string
  /** Its options on the command line: `settings.NAME`. */
  readonly options?: Readonly<Record<string, TSchema>>
  /** Keys that only the config file has: `settings.declared.NAME`. */
  readonly config?: Readonly<Record<string, TSchema>>
  /** The help on the preferences that its middleware reads. */
  readonly preferences?: Readonly<Record<string, string>>
  /** @throws {InvalidOption} if its settings cannot be used */
  check?(settings: Settings): void
  /** Complaints about its keys in the config file that no schema makes. */
  checkConfig?(settings: Settings, contracts: readonly Contract[]): Promise<readonly DataComplaint[]>
  /** What `list` prints of it, by the list's name. */
  readonly lists?: Readonly<Record<string, ToolList>>
  /** Undefined if calls go nowhere else. */
  elsewhere?(settings: Settings): Elsewhere | undefined
  /** A scenario that no list shows, and no file defines. */
  findScenario?(name: string, contracts: readonly Contract[], rules: Rules): Scenario | undefined
  /** What the log says below the line of an exchange, before its violations. */
  logNotes?(answer: KeptAnswer): readonly LogNote[]
  /** `http/decorations.ts` types what the app offers. */
  register(app: FastifyInstance, settings: () => Settings, parts: Parts): void
}
