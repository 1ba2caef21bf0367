import { FORMATS, type Format, type Shape, STATUS } from './shape.js'

/** Values of a shape that between them have every type and form of every part; a list holds one item of each. */
export function samplesOf(shape: Shape, status: number): unknown[] {
  const formats = [shape.format ?? []].flat() as Format[]
  const forms = formats.filter((format): format is keyof typeof FORMATS => format !== STATUS)
  const texts = shape.values ?? (forms.length === 0 ? ['text'] : forms.map((format) => FORMATS[format].sample))
  const byType: Readonly<Record<string, () => unknown[]>> = {
    object: () => samplesOfObject(shape, status),
    array: () => [shape.items === undefined ? [] : samplesOf(shape.items, status)],
    string: () => [...texts],
    integer: () => [formats.includes(STATUS) ? status : 1],
    number: () => [1.5],
    boolean: () => [true],
    null: () => [null],
  }
  return [shape.type].flat().flatMap((type) => byType[type]?.() ?? [])
}

/** One object with everything, one for each other value of a property, and one without what was not always there. */
function samplesOfObject({ properties = {}, required = [] }: Shape, status: number): unknown[] {
  const samples = Object.entries(properties).map(([name, shape]) => [name, samplesOf(shape, status)] as const)
  const whole = Object.fromEntries(samples.map(([name, [first]]) => [name, first]))
  const others = samples.flatMap(([name, [, ...rest]]) => rest.map((value) => ({ ...whole, [name]: value })))
  const least = Object.fromEntries(Object.entries(whole).filter(([name]) => required.includes(name)))
  const hasOptional = Object.keys(least).length < samples.length
  return [whole, ...others, ...(hasOptional ? [least] : [])]
}
