import { isValid } from '../contract/check.js'
import type { Contract } from '../contract/contract.js'
import { isFile, LONGEST_FIELD } from '../contract/fields.js'
import { flattenFields } from '../contract/json.js'
import { safeDecodeURIComponent, splitQueryInPath } from './decode.js'
import { FILE_SIGNATURE, findFileProblem, isFileAsText } from './file-text.js'
import { fileParameterOf, findIntendedParameter, type Parameter, parametersOf, type SentField } from './parameters.js'
import { repairValue, undocumentedValueKind } from './repair.js'
import { type Slip, slipOf } from './slip.js'
import { findTextSlip, isPlain, printedKeys, textInQuotes } from './text.js'

export function findValueSlips(sent: SentField, parameter: Parameter | undefined, context: SentContext) {
  const { name, value } = sent
  if (typeof value === 'string')
    return [findTextValueSlip({ ...sent, value: value.slice(0, LONGEST_FIELD) }, parameter, context) ?? []].flat()
  if (parameter === undefined || !isFile(parameter.schema)) return []
  return [value].flat().flatMap((upload) => {
    const fileProblem = findFileProblem(name, upload)
    if (fileProblem === undefined) return []
    const parameters = fileProblem.isStillAccepted ? [] : [parameter]
    return slipOf('file-problem', sent, parameters, { fileProblem, isRepairable: false })
  })
}

interface SentContext {
  /** The pair of the URL with plus signs that should be encoded. */
  readonly plusPair: string | undefined
  /** All fields of the same part. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The value, if it is JSON. */
  readonly json: object | undefined
}

type SentText = SentField & { readonly value: string }

function findTextValueSlip(sent: SentText, parameter: Parameter | undefined, context: SentContext): Slip | undefined {
  const { contract, part, value } = sent
  const { plusPair, fields, json } = context
  if (parameter !== undefined && plusPair !== undefined)
    return slipOf('unencoded-plus', sent, [parameter], { intendedValue: plusPair.replaceAll('+', '%2B') })
  if (isPlain(value) && parameter !== undefined) return findUndocumentedValue(sent, parameter)
  const file = part === 'form' ? fileParameterOf(contract) : undefined
  if (parameter === undefined && file !== undefined && !Object.hasOwn(fields, file.name) && isFileAsText(value))
    return slipOf('file-as-text', sent, [file], { isRepairable: false })
  if (part === 'path') {
    const escaped = splitQueryInPath(value)
    const names = Object.keys(escaped?.query ?? {})
    const inside = names.flatMap((name) => parametersOf(contract).get(`query.${name}`) ?? [])
    if (escaped !== undefined) return slipOf('escaped-query', sent, inside)
  } else {
    const hidden = part === 'query' ? parametersAfterSeparator(sent) : []
    if (hidden.length > 0)
      return slipOf('escaped-query', sent, parameter ? [parameter, ...hidden] : hidden, { isRepairable: false })
    const inside = parametersInside(sent, json)
    const kind = json === undefined ? 'printed-dictionary' : 'json-value'
    if (inside.length > 0) return slipOf(kind, sent, inside, { isRepairable: json !== undefined })
    if (json !== undefined && parameter !== undefined) return slipOf('json-value', sent, [parameter])
  }
  if (file !== undefined && FILE_SIGNATURE.test(value))
    return slipOf('nameless-file', sent, [file], { isRepairable: false })
  if (parameter === undefined) return undefined
  const textSlip = findTextSlip(value, parameter.schema['x-free-text'] === true)
  const intendedValue = part === 'form' && textSlip?.isRepairable !== false ? textInQuotes(value) : undefined
  if (intendedValue !== undefined) return slipOf('quoted-text', sent, [parameter], { intendedValue })
  if (textSlip === undefined) return findUndocumentedValue(sent, parameter)
  return slipOf(textSlip.kind, sent, [parameter], textSlip)
}

function findUndocumentedValue(sent: SentText, parameter: Parameter): Slip | undefined {
  const kind = undocumentedValueKind(sent.value, parameter.schema)
  if (kind === undefined) return undefined
  const repaired = repairValue(sent.value, parameter.schema)
  return slipOf(kind, sent, [parameter], { intendedValue: typeof repaired === 'string' ? repaired : undefined })
}

/** The pairs `name=value` of the URL whose plus signs are surely part of an address or of a word such as `C++`. */
export function unencodedPluses(contract: Contract, url: string): ReadonlyMap<Parameter, string> {
  const found = new Map<Parameter, string>()
  for (const pair of url.split(/[?&]/).filter((one) => one.includes('+'))) {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map((text) => safeDecodeURIComponent(text).trim())
    const parameter = parametersOf(contract).get(`query.${name}`)
    if (parameter === undefined || found.has(parameter)) continue
    const isAddress = () => /^[^+]+\+[^+@]/.test(value) && isValid(parameter.schema, value)
    if (parameter.schema.format === 'email' ? isAddress() : /^\w+\+\+$/.test(value)) found.set(parameter, pair)
  }
  return found
}

/** As in `lease&keyword=contract`, or with `?` or `;`. */
export function parametersAfterSeparator({ contract, value }: SentText): readonly Parameter[] {
  const names = Array.from(value.matchAll(/[?&;]([^?&;=]+)=/g), ([, name = '']) => name)
  return names.flatMap((name) => parametersOf(contract).get(`query.${name}`) ?? [])
}

const PRINTED_OBJECTS = /^\[object Object\](?:,\[object Object\])*$/
const MAX_INSIDE = 20

function parametersInside({ contract, part, name, value }: SentText, json: object | undefined): readonly Parameter[] {
  const all = parametersOf(contract)
  if (PRINTED_OBJECTS.test(value))
    return [...all.values()].filter((parameter) => parameter.part === part && parameter.name.startsWith(`${name}[`))
  const pairs =
    json === undefined ? printedKeys(value).map((key) => [`${name}[${key}]`, '']) : flattenFields(json, name)
  return pairs.slice(0, MAX_INSIDE).flatMap(([innerName = '', text]) => {
    const intended = findIntendedParameter({ contract, part, name: innerName, value: text })
    return all.get(`${part}.${innerName}`) ?? intended?.parameter ?? []
  })
}
