import type { Resource } from './resource.js'

export const documents: Resource = () => {}
