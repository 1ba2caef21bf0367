import type { FastifyInstance } from 'fastify'
import type { EngineSettings } from '../engine/sandbox/settings.js'
import type { CallDestination, Tool, ToolList } from '../engine/tool.js'
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

/** To remove a tool, delete its folder, its commands, its line in api/for-tools.ts, and its names in this file. */
export const tools: readonly Tool<ToolSettings, AllParts>[] = [
  coverageTool,
  openapiTool,
  dashboardTool,
  mutateTool,
  forwardTool,
]

export const toolConfig = Object.assign({}, ...tools.map(({ config }) => config))

export const toolPreferences: AllParts['preferences'] = Object.assign({}, ...tools.map((tool) => tool.preferences))

export const toolLists: Readonly<Record<string, ToolList>> = Object.assign({}, ...tools.map(({ lists }) => lists))

export function registerTools(app: FastifyInstance, settings: () => ToolSettings, parts: ToolParts): void {
  for (const tool of tools) tool.register(app, settings, { ...parts, preferences: toolPreferences })
}

export function checkTools(settings: ToolSettings): void {
  for (const tool of tools) tool.check?.(settings)
}

export function destinationOf(settings: ToolSettings): CallDestination | undefined {
  return tools.map((tool) => tool.destination?.(settings)).find((one) => one !== undefined)
}
