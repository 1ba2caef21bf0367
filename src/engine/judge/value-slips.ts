import { isFile, type UploadedFile } from '../contract/fields.js'
import { flatTexts } from '../contract/json.js'
import { escapedQueryIn } from './decode.js'
import { type FileProblem, findFileProblem, isFileAsText, isFileContent } from './file-text.js'
import { fileParameterOf, findMeaning, isUpload, type Parameter, parametersOf, type SentField } from './parameters.js'
import { repairValue, unlikeDocumented } from './repair.js'
import { type Slip, slipOf } from './slip.js'
import { isPlain, oddText, printedKeys } from './text.js'

export function slipsInValue(sent: SentField, parameter: Parameter | undefined, beside: SentWith): readonly Slip[] {
  const { name, value } = sent
  if (typeof value === 'string') return [slipInText({ ...sent, value }, parameter, beside) ?? []].flat()
  if (parameter === undefined || !isFile(parameter.schema)) return []
  return [value].flat().flatMap((one) => {
    const fileProblem = fileProblemIn(name, one)
    const parameters = fileProblem?.isStillAccepted ? [] : [parameter]
    return fileProblem === undefined ? [] : slipOf('odd-file', sent, parameters, { fileProblem, isRepairable: false })
  })
}

/** Undefined without contents: the journal does not keep them. */
export function fileProblemIn(name: string, value: unknown): FileProblem | undefined {
  return isUpload(value) && 'content' in value ? findFileProblem(name, value as UploadedFile) : undefined
}

interface SentWith {
  readonly url: string
  readonly fields: Readonly<Record<string, unknown>>
  /** The value, if it is JSON. */
  readonly json: object | undefined
}

type SentText = SentField & { readonly value: string }

function slipInText(
  sent: SentText,
  parameter: Parameter | undefined,
  { url, fields, json }: SentWith,
): Slip | undefined {
  const { contract, part, value } = sent
  const plus = parameter && unencodedPlus(parameter, url)
  if (parameter !== undefined && plus !== undefined)
    return slipOf('unencoded-plus', sent, [parameter], { meant: plus.replaceAll('+', '%2B') })
  if (isPlain(value) && parameter !== undefined) return unlike(sent, parameter)
  const file = part === 'form' ? fileParameterOf(contract) : undefined
  if (parameter === undefined && file !== undefined && !Object.hasOwn(fields, file.name) && isFileAsText(value))
    return slipOf('file-as-text', sent, [file], { isRepairable: false })
  if (part === 'path') {
    const escaped = escapedQueryIn(value)
    const names = Object.keys(escaped?.query ?? {})
    const inside = names.flatMap((name) => parametersOf(contract).get(`query.${name}`) ?? [])
    if (escaped !== undefined) return slipOf('escaped-query', sent, inside)
  } else {
    const holdsQuery = part === 'query' && parametersBehind(sent).length > 0
    if (holdsQuery)
      return slipOf('escaped-query', sent, parameter === undefined ? [] : [parameter], { isRepairable: false })
    const inside = parametersInside(sent, json)
    const kind = json === undefined ? 'printed-dictionary' : 'json-value'
    if (inside.length > 0) return slipOf(kind, sent, inside, { isRepairable: json !== undefined })
    if (json !== undefined && parameter !== undefined) return slipOf('json-value', sent, [parameter])
  }
  if (file !== undefined && isFileContent(value)) return slipOf('nameless-file', sent, [file], { isRepairable: false })
  if (parameter === undefined) return undefined
  const [kind, meant] = oddText(value, { part, takesWords: parameter.schema['x-words'] === true }) ?? []
  if (kind === undefined) return unlike(sent, parameter)
  return slipOf(kind, sent, [parameter], { meant: meant ?? undefined, isRepairable: meant !== null })
}

function unlike(sent: SentText, parameter: Parameter): Slip | undefined {
  const kind = unlikeDocumented(sent.value, parameter.schema)
  const meant = kind && repairValue(sent.value, parameter.schema)
  return kind && slipOf(kind, sent, [parameter], { meant: typeof meant === 'string' ? meant : undefined })
}

export function unencodedPlus({ part, name, schema }: Parameter, url: string): string | undefined {
  if (part !== 'query' || schema.format !== 'email') return undefined
  return url.split(/[?&]/).find((pair) => pair.startsWith(`${name}=`) && pair.includes('+'))
}

/** Parameters in the value, as in `lease&keyword=contract`. */
function parametersBehind({ contract, value }: SentText): readonly Parameter[] {
  const names = Array.from(value.matchAll(/[?&]([^?&=]+)=/g), ([, name = '']) => name)
  return names.flatMap((name) => parametersOf(contract).get(`query.${name}`) ?? [])
}

const OBJECTS = /^\[object Object\](?:,\[object Object\])*$/
const MOST_INSIDE = 20

function parametersInside({ contract, part, name, value }: SentText, json: object | undefined): readonly Parameter[] {
  const all = parametersOf(contract)
  if (OBJECTS.test(value))
    return [...all.values()].filter((one) => one.part === part && one.name.startsWith(`${name}[`))
  const pairs = json === undefined ? printedKeys(value).map((key) => [`${name}[${key}]`, '']) : flatTexts(json, name)
  return pairs.slice(0, MOST_INSIDE).flatMap(([inner = '', text]) => {
    const meaning = findMeaning({ contract, part, name: inner, value: text })
    return all.get(`${part}.${inner}`) ?? meaning?.parameter ?? []
  })
}
