export const METHOD_HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const
const PARAMETER = '_method'

interface OverridableRequest {
  readonly headers: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly form?: Readonly<Record<string, unknown>> | null | undefined
}

export function findMethodOverride({ headers, query, form }: OverridableRequest) {
  for (const name of METHOD_HEADERS)
    if (headers[name] !== undefined) return { name, where: `headers.${name}`, method: methodIn(headers[name]) }
  for (const [part, values] of [
    ['query', query],
    ['form', form ?? {}],
  ] as const)
    if (Object.hasOwn(values, PARAMETER))
      return { name: PARAMETER, where: `${part}.${PARAMETER}`, method: methodIn(values[PARAMETER]) }
  return undefined
}

function methodIn(value: unknown): string {
  return String([value].flat()[0]).toUpperCase()
}
