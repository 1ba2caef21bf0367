import type { InjectOptions } from 'fastify'
import { addOrganizationMember, listCreditHistories } from '../schemas/index.js'
import { type FilePart, multipart, requestOf } from './helper.js'

const HISTORIES = '/api/v2/credits/histories'
const nameless: FilePart = { filename: '', type: 'text/plain', content: Buffer.from('x') }
const times = <T>(count: number, item: (at: number) => T) => Array.from({ length: count }, (_, at) => item(at))

export function formOf(parts: Parameters<typeof multipart>[0]) {
  const { headers, url } = requestOf(addOrganizationMember)
  const { headers: own, body } = multipart(parts)
  return { method: 'POST', url, headers: { ...headers, ...own }, payload: body } as const
}

const queryOf = (keys: readonly string[]) => ({
  ...requestOf(listCreditHistories),
  url: `${HISTORIES}?${keys.join('&')}`,
})

/** Requests that carry little, but that many times. */
export const manyItems: Readonly<Record<string, InjectOptions>> = {
  'a thousand empty fields': formOf(times(999, (at) => [`${at}`, ''])),
  'one empty field a thousand times': formOf(times(999, () => ['f', ''])),
  'a thousand nameless files': formOf(times(999, (at) => [`${at}`, nameless])),
  'one nameless file a thousand times': formOf(times(999, () => ['file', nameless])),
  'four thousand keys of a query': queryOf(times(4_000, (at) => at.toString(36))),
  'one key of a query eight thousand times': queryOf(times(8_000, () => 'k')),
}
