import type { FastifyRequest } from 'fastify'

/** A variable of a route's path, decoded. */
export function pathParam({ params }: Pick<FastifyRequest, 'params'>, name: string): string {
  return (params as Readonly<Record<string, string>>)[name] ?? ''
}
