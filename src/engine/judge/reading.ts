import type { TObject } from '@sinclair/typebox'
import { isValid } from '../contract/check.js'
import { type Cites, citesOf } from '../contract/cites.js'
import type { Contract } from '../contract/contract.js'
import { type FileEntry, isFile, type UploadedFile } from '../contract/fields.js'
import { groupBy } from '../contract/group-by.js'
import { flatTexts } from '../contract/json.js'
import { bodyOf, type Fields } from './body-fields.js'
import { escapedQueryIn, safeDecodeURIComponent } from './decode.js'
import {
  byNumber,
  containsDocumentedName,
  fileParameterOf,
  findMeaning,
  isOtherIdentifier,
  isUpload,
  type Meaning,
  type Parameter,
  parametersOf,
  type RequestPart,
  type SentField,
} from './parameters.js'
import { preferenceMeantBy } from './preference-names.js'
import type { KeptRequest } from './received-request.js'
import { repairValue } from './repair.js'
import { slipsInWhole } from './request-slips.js'
import { type Slip, slipOf } from './slip.js'
import { isBlank, jsonIn } from './text.js'
import { mayHoldToken } from './token.js'
import { fileProblemIn, slipsInValue, unencodedPlus } from './value-slips.js'

interface SentValue extends SentField {
  readonly isReported: boolean
}

const MOST_STRAYS = 100
/** Fields that are read as JSON. */
const MOST_JSON = 50

/** What a request means, parameter by parameter, and its slips. */
export class Reading {
  readonly body: Fields
  readonly query: Fields
  readonly names: readonly Slip[]
  readonly #values: Slip[] = []
  readonly #whole: readonly Slip[]
  readonly #sent = new Map<Parameter, SentValue[]>()
  readonly #strays: SentValue[] = []
  #jsonFields = 0
  #hasExtra = false
  /** True if a correction would lose or guess a value. */
  #isGuess: boolean

  constructor(
    readonly contract: Contract,
    readonly request: KeptRequest,
  ) {
    const { params, query } = request
    const body = bodyOf(request)
    this.#isGuess = contract.form !== undefined && body === undefined
    this.body = body ?? {}
    // A query that was escaped with the path belongs to the query.
    const inPath: Fields = Object.assign({}, ...Object.values(params).map((value) => escapedQueryIn(value)?.query))
    this.query = { ...inPath, ...query }
    this.#read('path', params)
    this.#read('query', this.query, inPath)
    this.#read('form', this.body)
    this.names = this.#readStrays()
    this.#whole = slipsInWhole(this, this.#sentIn('form'))
    if (this.#hasExtra && this.#isIncomplete()) this.#isGuess = true
  }

  get slips(): readonly Slip[] {
    return [...this.#whole, ...this.names, ...this.#values]
  }

  get isRepairable(): boolean {
    return !this.#isGuess && this.#whole.every(({ isRepairable }) => isRepairable)
  }

  isSent(parameter: Parameter): boolean {
    return this.#valuesOf(parameter).length > 0
  }

  #sentIn(part: RequestPart): readonly Parameter[] {
    return [...this.#sent.keys()].filter((one) => this.#sent.get(one)?.some((sent) => sent.part === part))
  }

  get misnamedFiles(): Readonly<Record<string, UploadedFile>> | undefined {
    const moved = [...this.#sent].flatMap(([{ name }, sent]) => {
      const file = sent.find((one) => one.name !== name && isUpload(one.value))
      return file === undefined ? [] : [[name, file.value as UploadedFile]]
    })
    return moved.length === 0 ? undefined : Object.fromEntries(moved)
  }

  /** Undefined for a value whose meaning is lost. */
  meaningsOf(parameter: Parameter): readonly (string | FileEntry | undefined)[] {
    return [...new Set(this.#valuesOf(parameter).map((value) => this.#repaired(parameter, value)))]
  }

  #valuesOf(parameter: Parameter): readonly unknown[] {
    const values = (this.#sent.get(parameter) ?? []).map(({ value }) => value)
    return values.filter((value) => !isBlank(value))
  }

  #repaired(parameter: Parameter, value: unknown): string | FileEntry | undefined {
    // JSON with values of parameters has been taken apart.
    if (typeof value === 'string' && jsonIn(value) !== undefined) return undefined
    const { part, schema } = parameter
    const path = part === 'path' ? escapedQueryIn(String(value))?.path : undefined
    const [, pair] = unencodedPlus(parameter, this.request.url)?.split(/=(.*)/s) ?? []
    const withPlus = pair && safeDecodeURIComponent(pair.replaceAll('+', '%2B'))
    return repairValue(withPlus?.replaceAll('+', ' ') === value ? withPlus : (path ?? value), schema)
  }

  /** The slips of fields in `reported`, from an escaped path, are reported there. */
  #read(part: RequestPart, fields: Fields, reported: Fields = {}): void {
    const { contract, request } = this
    const all = parametersOf(contract)
    for (const [name, whole] of Object.entries(fields)) {
      const parameter = this.#documented(part, name, fields)
      const isOther = name === '_method' || (part === 'query' && (mayHoldToken(name) || preferenceMeantBy(name)))
      if (parameter === undefined && isOther) {
        this.#hasExtra = true
        continue
      }
      const values = [whole].flat().map((value) => ({ value, json: this.#jsonIn(value) }))
      const beside = { url: request.url, fields, json: values[0]?.json }
      const slips = slipsInValue({ contract, part, name, value: whole }, parameter, beside)
      // A body that is no form gets a violation of its own.
      const isUnread = Object.hasOwn(reported, name) || (part === 'form' && request.form === null)
      if (!isUnread) this.#values.push(...slips)
      const isReported = isUnread || slips.length > 0
      for (const { value, json } of values) {
        const inside = json === undefined || (parameter ?? slips[0]) === undefined ? undefined : flatTexts(json, name)
        if (inside === undefined) this.#put({ contract, part, name, value, isReported }, parameter)
        // The field's own violation reports the JSON.
        for (const [inner, text] of inside ?? [])
          this.#put({ contract, part, name: inner, value: text, isReported: true }, all.get(`${part}.${inner}`))
      }
    }
  }

  #jsonIn(value: unknown): object | undefined {
    if (typeof value !== 'string') return undefined
    // A field that is not read may hold what a correction would lose.
    if (this.#jsonFields === MOST_JSON) this.#isGuess = true
    const json = this.#jsonFields < MOST_JSON ? jsonIn(value) : undefined
    if (json !== undefined) this.#jsonFields++
    return json
  }

  /** A file under the name of a text belongs to the file parameter. */
  #documented(part: RequestPart, name: string, beside: Fields): Parameter | undefined {
    const documented = parametersOf(this.contract).get(`${part}.${name}`)
    const file = documented === undefined || isFile(documented.schema) ? undefined : fileParameterOf(this.contract)
    if (file === undefined || Object.hasOwn(beside, file.name)) return documented
    const { filename, mimetype } = Object(beside[name]) as Partial<FileEntry>
    // A Blob can be a text.
    const isOther = /^image\/|\/pdf$/.test(mimetype ?? '') || /\.(?:pdf|png|jpe?g|gif|webp|svg)$/i.test(filename ?? '')
    return isOther ? undefined : documented
  }

  #put(sent: SentValue, parameter: Parameter | undefined): void {
    // In a query, the signs of `C++` arrive as blanks.
    if (sent.part === 'query' && /\S {2}$/.test(String(sent.value))) this.#isGuess = true
    // `sort=+amount` would lose its sign.
    const takesWords = sent.part === 'query' && parameter?.schema.enum?.[1] !== undefined
    if (takesWords && /^[ +]\S+$/.test(String(sent.value))) this.#isGuess = true
    if (parameter !== undefined) this.#sent.set(parameter, [...(this.#sent.get(parameter) ?? []), sent])
    else if (this.#strays.length < MOST_STRAYS) this.#strays.push(sent)
    else this.#isGuess = true
  }

  /** In the order of the numbers in their names. */
  #readStrays(): readonly Slip[] {
    const byName = [...groupBy(this.#strays, ({ part, name }) => `${part}.${name}`).values()]
    const slips = new Map<readonly SentValue[], Slip | undefined>()
    const inOrder = byName.toSorted(([one], [other]) => byNumber(one?.name ?? '', other?.name ?? ''))
    for (const values of inOrder) slips.set(values, this.#readStray(values))
    return byName.flatMap((values) => slips.get(values) ?? [])
  }

  #readStray(values: readonly SentValue[]): Slip | undefined {
    const [sent] = values as readonly [SentValue]
    const { contract, name, value, isReported } = sent
    const meaning = findMeaning(sent)
    if (meaning === undefined) {
      if (containsDocumentedName(contract, name)) this.#isGuess = true
      else this.#hasExtra = true
      const split = isReported ? 'reported' : this.#splitValue(sent)
      if (split === 'reported') return undefined
      return split ?? slipOf('unknown-*', sent, [], { cites: this.#citesFor(sent) })
    }
    const targets = new Set(values.flatMap((one) => this.#assign(one, meaning) ?? []))
    if (isReported) return undefined
    const { kind, parameter } = meaning
    const meant = targets.size > 0 ? [...targets] : [parameter]
    if (isUpload(value) && value.filename === '') return slipOf('nameless-file', sent, meant, { isRepairable: false })
    const odd = isFile(parameter.schema) ? fileProblemIn(name, value) : undefined
    return slipOf(KINDS[kind], sent, meant, {
      cites: kind === 'too-many' ? this.#limitOf(parameter) : undefined,
      isRepairable: odd === undefined || odd.isStillAccepted,
      isAlsoSent: meant.some((one) => this.#sent.get(one)?.some((other) => other.name === one.name)),
    })
  }

  /** The parameter, or the next free one of its series; undefined if none is free. */
  #assign(sent: SentValue, { kind, parameter }: Meaning): Parameter | undefined {
    const { name, value } = sent
    const assigned = this.#sent.get(parameter) ?? []
    const { series } = parameter
    const isSentTwice = assigned.some((one) => one.value === value)
    const isFree = assigned.length === 0 && kind !== 'too-many'
    const target =
      isSentTwice || (isFree && series.length === 1) ? parameter : series.find((one) => !this.#sent.has(one))
    const isList = series.length > 1 && String(value).includes(',')
    const isSure = target !== undefined && !isList && !isOfAnother(name, target.name, value)
    if (isSure) this.#put(sent, target)
    else this.#isGuess = true
    return isSure ? target : undefined
  }

  /** The rest of a value behind an unescaped `&` arrives as parameters without a value: the first one is reported. */
  #splitValue(sent: SentField): Slip | 'reported' | undefined {
    if (sent.part !== 'query' || sent.value !== '') return undefined
    const pairs = (this.request.url.split(/\?(.*)/s)[1] ?? '').split('&')
    const decoded = (text: string) => safeDecodeURIComponent(text.replaceAll('+', ' '))
    const at = pairs.findIndex((pair) => decoded(pair) === sent.name)
    const first = pairs.findLastIndex((pair, nth) => nth < at && pair.includes('='))
    const [owner = '', value = ''] = (pairs[first] ?? '').split('=').map(decoded)
    const parameter = parametersOf(this.contract).get(`query.${owner}`)
    if (parameter === undefined) return undefined
    const { type, enum: listed, format } = parameter.schema
    if (type !== 'string' || listed !== undefined) return undefined
    if (at > first + 1) return 'reported'
    const behind = pairs.slice(at + 1)
    const end = behind.findIndex((pair) => pair.includes('='))
    const rest = [pairs[at], ...behind.slice(0, end < 0 ? undefined : end)].map((pair = '') =>
      decoded(pair).replace(/^amp;/, ''),
    )
    const meant = [value, ...rest].join('&')
    if (format !== undefined && !isValid(parameter.schema, meant)) return undefined
    return slipOf('unescaped-ampersand', sent, [parameter], { value, meant, isRepairable: false })
  }

  #citesFor({ part, name }: SentField): Cites {
    const notTaken = this.#schemaOf(part)?.['x-not-taken'] ?? {}
    return (Object.hasOwn(notTaken, name) ? notTaken[name] : undefined) ?? [this.contract.conventions.unknownNames]
  }

  #limitOf({ part, schema }: Parameter): Cites {
    return citesOf(this.#schemaOf(part) ?? schema) ?? citesOf(schema) ?? this.contract.cites
  }

  #schemaOf(part: RequestPart): TObject | undefined {
    return part === 'path' ? this.contract.params : this.contract[part]
  }

  #isIncomplete(): boolean {
    const isDue = ({ isRequired, schema }: Parameter) => isRequired && schema.enum?.length !== 1
    return [...parametersOf(this.contract).values()].some((one) => isDue(one) && !this.#sent.has(one))
  }
}

const KINDS = { misnamed: 'misnamed-*', misplaced: 'misplaced-*', 'too-many': 'too-many-*s' } as const

function isOfAnother(sentAs: string, name: string, value: unknown): boolean {
  const isUuid = /^[\s{]*[0-9a-f]{8}-/i.test(String(value))
  return isOtherIdentifier(sentAs, name) && isUuid !== /uuid\]?$/i.test(name)
}
