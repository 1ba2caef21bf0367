import type { FastifyInstance } from 'fastify'
import type { DataComplaint } from '../engine/contract/complaint.js'
import type { Contract } from '../engine/contract/contract.js'
import type { Rules } from '../engine/contract/rules.js'
import type { KeptAnswer } from '../engine/journal/exchange.js'
import type { Scenario } from '../engine/sandbox/scenarios/scenario.js'
import type { EngineSettings } from '../engine/sandbox/settings.js'
import type { Elsewhere, LogNote, Tool, ToolList } from '../engine/tool.js'
import { type CoverageParts, coverageTool } from '../tools/coverage/plugin.js'
import { dashboardTool } from '../tools/dashboard/plugin.js'
import { type ForwardParts, forwardTool } from '../tools/forward/plugin.js'
import type { ForwardSettings } from '../tools/forward/settings.js'
import { type MutateParts, mutateTool } from '../tools/mutate/plugin.js'
import { openapiTool } from '../tools/openapi/plugin.js'

export type ToolParts = CoverageParts & ForwardParts & MutateParts

type ToolSettings = EngineSettings & ForwardSettings

interface AllParts extends ToolParts {
  readonly preferences: Readonly<Record<string, string>>
}

export const toolOptions = { ...forwardTool.options }

/** To do without a tool, delete its folder, its commands, and its name here. */
const tools: readonly Tool<ToolSettings, AllParts>[] = [
  coverageTool,
  openapiTool,
  dashboardTool,
  mutateTool,
  forwardTool,
]

export const toolKeys = Object.assign({}, ...tools.map(({ config }) => config))

export const toolPreferences: AllParts['preferences'] = Object.assign({}, ...tools.map((tool) => tool.preferences))

export const toolLists: Readonly<Record<string, ToolList>> = Object.assign({}, ...tools.map(({ lists }) => lists))

export function registerTools(app: FastifyInstance, settings: () => ToolSettings, parts: ToolParts): void {
  for (const tool of tools) tool.register(app, settings, { ...parts, preferences: toolPreferences })
}

export function checkTools(settings: ToolSettings): void {
  for (const tool of tools) tool.check?.(settings)
}

/** Besides those of schemas. */
export async function checkToolKeys(
  settings: ToolSettings,
  contracts: readonly Contract[],
): Promise<readonly DataComplaint[]> {
  const complaints = tools.map(async (tool) => (await tool.checkConfig?.(settings, contracts)) ?? [])
  return (await Promise.all(complaints)).flat()
}

export function elsewhereOf(settings: ToolSettings): Elsewhere | undefined {
  return tools.map((tool) => tool.elsewhere?.(settings)).find((one) => one !== undefined)
}

export function logNotes(answer: KeptAnswer): readonly LogNote[] {
  return tools.flatMap((tool) => tool.logNotes?.(answer) ?? [])
}

/** No list shows them. */
export function findToolScenario(name: string, contracts: readonly Contract[], rules: Rules): Scenario | undefined {
  return tools.map((tool) => tool.findScenario?.(name, contracts, rules)).find((one) => one !== undefined)
}
