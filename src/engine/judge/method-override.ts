export const METHOD_HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const
const PARAMETER = '_method'

interface OverridableRequest {
  readonly headers: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly form?: Readonly<Record<string, unknown>> | null | undefined
}

export function findMethodOverride({ headers, query, form }: OverridableRequest) {
  const parts = { headers, query, form: form ?? {} }
  for (const [part, values] of Object.entries(parts))
    for (const name of part === 'headers' ? METHOD_HEADERS : [PARAMETER])
      if (Object.hasOwn(values, name) && values[name] !== '')
        return { name, where: `${part}.${name}`, method: String([values[name]].flat()[0]).toUpperCase() }
  return undefined
}
