import type { FastifyRequest } from 'fastify'

export function pathParam({ params }: Pick<FastifyRequest, 'params'>, name: string): string {
  return (params as Readonly<Record<string, string>>)[name] ?? ''
}
