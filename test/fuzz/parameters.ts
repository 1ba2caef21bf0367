/** A parameter as it is written between two semicolons; its value is undefined where it has no equals sign. */
export interface Parameter {
  readonly name: string
  readonly value: string | undefined
}

/** A header's value with its parameters, all as they are written. */
export interface Header {
  readonly value: string
  readonly parameters: readonly Parameter[]
}

const PARAMETER = /;([^;=]*)(?:=([ \t]*"(?:[^"\\]|\\.)*"?[^;]*|[^;]*))?/gs

export function parametersIn(header: string): Header {
  const semicolon = header.indexOf(';')
  if (semicolon < 0) return { value: header, parameters: [] }
  return {
    value: header.slice(0, semicolon),
    parameters: [...header.slice(semicolon).matchAll(PARAMETER)].map(([, name = '', value]) => ({ name, value })),
  }
}

function written({ value, parameters }: Header): string {
  return [value, ...parameters.map(({ name, value }) => (value === undefined ? name : `${name}=${value}`))].join(';')
}

/** A header after a change of its parameters; undefined leaves one out. */
export function withParameters(
  header: string,
  change: (parameter: Parameter, nth: number, all: readonly Parameter[]) => Parameter | undefined,
): string {
  const { value, parameters } = parametersIn(header)
  return written({ value, parameters: parameters.flatMap((one, nth, all) => change(one, nth, all) ?? []) })
}

export const keyOf = ({ name }: Parameter) => stripped(name).toLowerCase()

/** Without the white space around it. */
export const stripped = (text: string) => text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')

/** What a written value says. */
export function meantBy(value: string): string {
  const quoted = /^[ \t]*"((?:[^"\\]|\\.)*)/s.exec(value)?.[1]
  return quoted === undefined ? stripped(value) : quoted.replace(/\\(["\\])/g, '$1')
}

/** What the first parameter of that name says. */
export function parameterOf({ parameters }: Header, name: string): string | undefined {
  const found = parameters.find((one) => one.value !== undefined && keyOf(one) === name)
  return found?.value === undefined ? undefined : meantBy(found.value)
}

export const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
