import type { TObject } from '@sinclair/typebox'
import { isValid } from '../contract/check.js'
import { type Cites, citesOf } from '../contract/cites.js'
import type { Contract } from '../contract/contract.js'
import { type FileEntry, isFile, type UploadedFile } from '../contract/fields.js'
import { groupBy } from '../contract/group-by.js'
import { flattenFields } from '../contract/json.js'
import { bodyFieldsOf, type Fields } from './body-fields.js'
import { safeDecodeURIComponent, splitQueryInPath } from './decode.js'
import { findFileProblem } from './file-text.js'
import {
  containsDocumentedName,
  fileParameterOf,
  findIntendedParameter,
  hasKey,
  type IntendedParameter,
  isUpload,
  isWrongKindOfId,
  lastNumberIn,
  type Parameter,
  parametersOf,
  type RequestPart,
  type SentField,
} from './parameters.js'
import { findIntendedPreference } from './preference-names.js'
import type { KeptRequest } from './received-request.js'
import { repairValue } from './repair.js'
import { findRequestSlips } from './request-slips.js'
import { type Slip, slipOf } from './slip.js'
import { isBlank, jsonIn, textInQuotes } from './text.js'
import { mayHoldToken } from './token.js'
import { findValueSlips, parametersAfterSeparator, unencodedPluses } from './value-slips.js'

interface SentValue extends SentField {
  readonly isReported: boolean
}

const MAX_UNDOCUMENTED = 100
const MAX_JSON_FIELDS = 50

/** The intended values of a request, parameter by parameter, and its slips. */
export class Reading {
  readonly body: Fields
  readonly query: Fields
  readonly fieldSlips: readonly Slip[]
  readonly #valueSlips: Slip[] = []
  readonly #requestSlips: readonly Slip[]
  readonly #sentValues = new Map<Parameter, SentValue[]>()
  readonly #undocumentedValues: SentValue[] = []
  readonly #plusPairs: ReadonlyMap<Parameter, string>
  #jsonFieldCount = 0
  #hasUnknownName = false
  /** True if a correction would lose or guess a value. */
  #isUncertain: boolean

  constructor(
    readonly contract: Contract,
    readonly request: KeptRequest,
  ) {
    const body = bodyFieldsOf(request)
    this.#isUncertain = contract.form !== undefined && body === undefined
    this.body = body ?? {}
    this.#plusPairs = unencodedPluses(contract, request.url)
    // A query that was escaped together with the path.
    const escapedQueries = Object.values(request.params).map((value) => splitQueryInPath(value)?.query)
    const queryInPath: Fields = Object.assign({}, ...escapedQueries)
    this.query = { ...queryInPath, ...request.query }
    this.#readPart('path', request.params)
    this.#readPart('query', this.query, queryInPath)
    this.#readPart('form', this.body)
    this.fieldSlips = [...this.#findNameSlips(), ...this.#valueSlips]
    const isInForm = (parameter: Parameter) => this.#sentValues.get(parameter)?.some(({ part }) => part === 'form')
    this.#requestSlips = findRequestSlips(this, [...this.#sentValues.keys()].filter(isInForm))
    if (this.#hasUnknownName && this.#isIncomplete()) this.#isUncertain = true
  }

  get slips(): readonly Slip[] {
    return [...this.#requestSlips, ...this.fieldSlips]
  }

  get isRepairable(): boolean {
    return !this.#isUncertain && this.#requestSlips.every(({ isRepairable }) => isRepairable)
  }

  isSent(parameter: Parameter): boolean {
    return this.#filledValuesOf(parameter).length > 0
  }

  get misnamedFiles(): Readonly<Record<string, UploadedFile>> | undefined {
    const files = [...this.#sentValues].flatMap(([{ name }, values]) => {
      const file = values.find((sent) => sent.name !== name && isUpload(sent.value))
      return file === undefined ? [] : [[name, file.value as UploadedFile]]
    })
    return files.length === 0 ? undefined : Object.fromEntries(files)
  }

  /** Undefined stands for a value that cannot be repaired. */
  intendedValuesOf(parameter: Parameter): readonly (string | FileEntry | undefined)[] {
    return [...new Set(this.#filledValuesOf(parameter).map((value) => this.#repair(parameter, value)))]
  }

  #filledValuesOf(parameter: Parameter): readonly unknown[] {
    const values = (this.#sentValues.get(parameter) ?? []).map(({ value }) => value)
    return values.filter((value) => !isBlank(value))
  }

  #repair(parameter: Parameter, value: unknown): string | FileEntry | undefined {
    const { part, schema } = parameter
    // JSON is not repaired as a whole: each of its values is read as a parameter.
    if (typeof value === 'string' && jsonIn(value) !== undefined) return undefined
    const text = part === 'form' ? textInQuotes(value) : undefined
    if (text !== undefined) return repairValue(text, schema)
    const path = part === 'path' ? splitQueryInPath(String(value))?.path : undefined
    const [, escaped] = this.#plusPairs.get(parameter)?.split(/=(.*)/s) ?? []
    const withPlus = escaped && safeDecodeURIComponent(escaped.replaceAll('+', '%2B'))
    return repairValue(withPlus?.replaceAll('+', ' ') === value ? withPlus : (path ?? value), schema)
  }

  /** Fields of `queryInPath` get no slips: the path has one for all of them. */
  #readPart(part: RequestPart, fields: Fields, queryInPath: Fields = {}): void {
    const { contract, request } = this
    const parameters = parametersOf(contract)
    for (const [name, field] of Object.entries(fields)) {
      const parameter = this.#findParameter(part, name, fields)
      // Other violations report these names.
      const isSpecial = name === '_method' || (part === 'query' && (mayHoldToken(name) || findIntendedPreference(name)))
      if (parameter === undefined && isSpecial) {
        this.#hasUnknownName = true
        continue
      }
      const values = [field].flat().map((value) => ({ value, json: this.#parseJson(value) }))
      const plusPair = parameter && this.#plusPairs.get(parameter)
      const context = { plusPair, fields, json: values[0]?.json }
      const slips = findValueSlips({ contract, part, name, value: field }, parameter, context)
      // Another violation reports a body that is not a form.
      const isReportedElsewhere = Object.hasOwn(queryInPath, name) || (part === 'form' && request.form === null)
      if (!isReportedElsewhere) this.#valueSlips.push(...slips)
      const isReported = isReportedElsewhere || slips.length > 0
      for (const { value, json } of values) {
        if (json === undefined || (parameter ?? slips[0]) === undefined) {
          this.#addValue({ contract, part, name, value, isReported }, parameter)
          continue
        }
        // The slip of the field reports the JSON.
        for (const [innerName, text] of flattenFields(json, name)) {
          const innerParameter = parameters.get(`${part}.${innerName}`)
          this.#addValue({ contract, part, name: innerName, value: text, isReported: true }, innerParameter)
        }
      }
    }
  }

  #parseJson(value: unknown): object | undefined {
    if (typeof value !== 'string') return undefined
    // A correction could lose the values of a field that is not parsed.
    if (this.#jsonFieldCount === MAX_JSON_FIELDS) this.#isUncertain = true
    const json = this.#jsonFieldCount < MAX_JSON_FIELDS ? jsonIn(value) : undefined
    if (json !== undefined) this.#jsonFieldCount++
    return json
  }

  /** Undefined for a file under the name of a text field: it belongs to the file parameter. */
  #findParameter(part: RequestPart, name: string, fields: Fields): Parameter | undefined {
    const parameter = parametersOf(this.contract).get(`${part}.${name}`)
    const file = parameter === undefined || isFile(parameter.schema) ? undefined : fileParameterOf(this.contract)
    if (file === undefined || Object.hasOwn(fields, file.name)) return parameter
    const { filename, mimetype } = Object(fields[name]) as Partial<FileEntry>
    // A text field may be sent as a Blob.
    const isDocument =
      /^image\/|\/pdf$/.test(mimetype ?? '') || /\.(?:pdf|png|jpe?g|gif|webp|svg)$/i.test(filename ?? '')
    return isDocument ? undefined : parameter
  }

  #addValue(sent: SentValue, parameter: Parameter | undefined): void {
    // Possibly plus signs, as in `C++`
    const mayBePlus = sent.part === 'query' && /\S {2}$/.test(String(sent.value))
    if (mayBePlus && !(parameter && this.#plusPairs.has(parameter))) this.#isUncertain = true
    // `sort=+price` and `sort=-price` would lose their sign.
    const isChoice = sent.part === 'query' && parameter?.schema.enum?.[1] !== undefined
    if (isChoice && /^[ +-]\S+$/.test(String(sent.value))) this.#isUncertain = true
    const others = parameter && this.#sentValues.get(parameter)
    if (parameter !== undefined) this.#sentValues.set(parameter, [...(others ?? []), sent])
    else if (this.#undocumentedValues.length < MAX_UNDOCUMENTED) this.#undocumentedValues.push(sent)
    else this.#isUncertain = true
  }

  /** Assigns values in the order of the numbers in their names; returns the slips in the order of sending. */
  #findNameSlips(): readonly Slip[] {
    const groups = [...groupBy(this.#undocumentedValues, ({ part, name }) => `${part}.${name}`).values()]
    const slips = new Map<readonly SentValue[], Slip | undefined>()
    const numberIn = ([first]: readonly SentValue[]) => lastNumberIn(first?.name ?? '') ?? 0
    const byNumber = groups.toSorted((left, right) => numberIn(left) - numberIn(right))
    for (const values of byNumber) slips.set(values, this.#findNameSlip(values))
    return groups.flatMap((values) => slips.get(values) ?? [])
  }

  #findNameSlip(values: readonly SentValue[]): Slip | undefined {
    const [sent] = values as readonly [SentValue]
    const { name, value, isReported } = sent
    const intended = this.#findParameterByChoice(sent) ?? findIntendedParameter(sent)
    if (intended === undefined) return this.#findUnknownNameSlip(sent)
    const targets = new Set(values.flatMap((sentValue) => this.#assign(sentValue, intended) ?? []))
    if (isReported) return undefined
    const { parameter } = intended
    const isSurplus = targets.size < values.length && parameter.series.every((one) => this.#sentValues.has(one))
    const kind = parameter.series.length > 1 && isSurplus ? 'too-many-*s' : intended.kind
    const parameters = targets.size > 0 ? [...targets] : [parameter]
    if (isFile(parameter.schema) && (typeof value === 'string' || (isUpload(value) && value.filename === '')))
      return slipOf('nameless-file', sent, parameters, { isRepairable: false })
    const fileProblem = isFile(parameter.schema) ? findFileProblem(name, value) : undefined
    const isSentByName = (one: Parameter) =>
      this.#sentValues.get(one)?.some((own) => own.name === one.name && own.part === one.part && !isBlank(own.value))
    return slipOf(kind, sent, parameters, {
      cites: kind === 'too-many-*s' ? this.#citesForLimit(parameter) : undefined,
      isRepairable: fileProblem === undefined || fileProblem.isStillAccepted,
      isAlsoSent: parameters.some(isSentByName),
    })
  }

  #findUnknownNameSlip(sent: SentValue): Slip | undefined {
    const isPieceOfText = sent.part === 'form' && this.request.form === null && sent.value === ''
    if (isPieceOfText || containsDocumentedName(this.contract, sent.name)) this.#isUncertain = true
    else this.#hasUnknownName = true
    const isWholeQuery = sent.part === 'query' && sent.value === ''
    const inside = isWholeQuery ? parametersAfterSeparator({ ...sent, value: `&${sent.name}` }) : []
    if (inside.length > 0) return slipOf('escaped-query', sent, inside, { isRepairable: false })
    const splitValue = sent.isReported ? 'reported' : this.#findSplitValue(sent)
    if (splitValue === 'reported') return undefined
    return splitValue ?? slipOf('unknown-*', sent, [], { cites: this.#citesForUnknownName(sent) })
  }

  /** For a name such as `direction` or `order_by`, finds the only parameter that allows the choice. */
  #findParameterByChoice({ part, name, value }: SentValue): IntendedParameter | undefined {
    if (part !== 'query' || !/^(?:sort|order|dir)[a-z_]*$/i.test(name)) return undefined
    const all = [...parametersOf(this.contract).values()]
    const choices = all.filter((one) => one.part === part && one.schema.enum?.[1] !== undefined)
    const [parameter, ...more] = choices.filter(({ schema }) => repairValue(value, schema) !== undefined)
    return parameter === undefined || more.length > 0 ? undefined : { kind: 'misnamed-*', parameter }
  }

  /** Assigns the value to the parameter, or to the first free one of its series; undefined if that is not sure. */
  #assign(sent: SentValue, { kind, parameter }: IntendedParameter): Parameter | undefined {
    const { name, value } = sent
    const assigned = (this.#sentValues.get(parameter) ?? []).filter((one) => !isBlank(one.value))
    const { series } = parameter
    const isSentTwice = assigned.some((one) => one.value === value)
    const isFree = assigned.length === 0 && kind !== 'too-many-*s'
    const target =
      isSentTwice || (isFree && series.length === 1) ? parameter : series.find((one) => !this.#sentValues.has(one))
    const isList = series.length > 1 && String(value).includes(',')
    const isKey = series.some((one) => one.name.endsWith(`[${value}]`))
    const isSure =
      target !== undefined && !isList && !isKey && !hasKey(name, target) && !isWrongKindOfId(name, target.name, value)
    if (isSure) this.#addValue(sent, target)
    else this.#isUncertain = true
    return isSure ? target : undefined
  }

  /** After an unescaped `&`, the rest of a value arrives as parameters without a value. Only the first gets a slip. */
  #findSplitValue(sent: SentField): Slip | 'reported' | undefined {
    if (sent.part !== 'query' || sent.value !== '') return undefined
    const pairs = (this.request.url.split(/\?(.*)/s)[1] ?? '').split('&')
    const decode = (text: string) => safeDecodeURIComponent(text.replaceAll('+', ' '))
    const at = pairs.findIndex((pair) => decode(pair) === sent.name)
    const first = pairs.findLastIndex((pair, nth) => nth < at && pair.includes('='))
    const [owner = '', value = ''] = (pairs[first] ?? '').split('=').map(decode)
    const parameter = parametersOf(this.contract).get(`query.${owner}`)
    if (parameter === undefined) return undefined
    const { type, enum: choices, format } = parameter.schema
    if (type !== 'string' || choices !== undefined) return undefined
    if (at > first + 1) return 'reported'
    const next = pairs.slice(at + 1)
    const end = next.findIndex((pair) => pair.includes('='))
    const pieces = [pairs[at], ...next.slice(0, end < 0 ? undefined : end)]
    const rest = pieces.map((piece = '') => decode(piece).replace(/^amp;/, ''))
    const intendedValue = [value, ...rest].join('&')
    if (format !== undefined && !isValid(parameter.schema, intendedValue)) return undefined
    return slipOf('unescaped-ampersand', sent, [parameter], { value, intendedValue, isRepairable: false })
  }

  #citesForUnknownName({ part, name }: SentField): Cites {
    const excluded = this.#schemaOf(part)?.['x-excluded-names'] ?? {}
    return (Object.hasOwn(excluded, name) ? excluded[name] : undefined) ?? [this.contract.conventions.unknownNames]
  }

  #citesForLimit({ part, schema }: Parameter): Cites {
    return citesOf(this.#schemaOf(part) ?? schema) ?? citesOf(schema) ?? this.contract.cites
  }

  #schemaOf(part: RequestPart): TObject | undefined {
    return part === 'path' ? this.contract.params : this.contract[part]
  }

  #isIncomplete(): boolean {
    const all = [...parametersOf(this.contract).values()]
    return all.some((one) => one.isRequired && one.schema.enum?.length !== 1 && !this.#sentValues.has(one))
  }
}
