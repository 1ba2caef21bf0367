import { randomBytes, randomUUID } from 'node:crypto'
import type { TObject, TSchema } from '@sinclair/typebox'
import { formats } from '../../engine/contract/check.js'
import { type Contract, isReadOnly } from '../../engine/contract/contract.js'
import { isFile } from '../../engine/contract/fields.js'
import type { CurlValue } from '../../engine/judge/curl.js'
import { type SampleCall, type SampleFiles, sampleCall, type Texts } from '../../engine/judge/sample-call.js'

export interface Changes {
  readonly params?: Texts
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly form?: Readonly<Record<string, CurlValue | undefined>>
}

export interface Token {
  readonly header: string
  readonly whose: 'user' | 'invalid' | 'empty' | 'without permission'
}

export function tokenFor({ tokenHeaders: [header] }: Contract, whose: Token['whose']): Token {
  return { header: header?.name ?? '', whose }
}

export interface SentCall extends SampleCall {
  readonly contract: Contract
  readonly token: Token | null
  /** Equal calls are sent once, unless this differs. */
  readonly attempt?: number | undefined
}

export function applyChanges({ params, query, form }: SampleCall, changes: Changes): SampleCall {
  return {
    params: { ...params, ...changes.params },
    query: defined({ ...query, ...changes.query }),
    form: form && defined({ ...form, ...changes.form }),
  }
}

function defined<V>(values: Readonly<Record<string, V | undefined>>) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<string, V>
}

/** By operation; values of files are paths. */
export type DataFile = Readonly<Record<string, OperationData>>

type OperationData = { readonly [Part in 'params' | 'query' | 'form']?: Texts } & {
  readonly [own: string]: Texts | string | undefined
}

export class TestData {
  readonly #run = randomBytes(4).toString('hex')
  readonly #unknownUuid = randomUUID()
  /** Occurs nowhere else, and has a fixed length. */
  readonly nonsense = `countersign${this.#run}`

  constructor(
    private readonly data: DataFile,
    private readonly sampleFiles: SampleFiles,
    private readonly allowWrites: boolean,
  ) {}

  given({ id }: Contract): OperationData {
    return this.data[id] ?? {}
  }

  isGiven(contract: Contract): boolean {
    const { params, query, form } = this.given(contract)
    return (params ?? query ?? form) !== undefined
  }

  sampleCall(contract: Contract): SampleCall {
    const { params, query, form } = this.given(contract)
    const sample = sampleCall(contract, this.sampleFiles)
    return {
      params: { ...sample.params, ...params },
      query: { ...sample.query, ...query },
      form: sample.form && this.#form(contract, sample.form, form),
    }
  }

  /** Writes get required fields alone: an update then changes nothing. */
  #form(contract: Contract, sample: NonNullable<SampleCall['form']>, given: Texts | undefined) {
    const { properties, required = [] } = contract.form as TObject
    const isWrite = !isReadOnly(contract)
    const names = isWrite || given !== undefined ? [...required, ...Object.keys(given ?? {})] : Object.keys(sample)
    const fields = (isWrite && required.length === 0 ? [] : names).map((name) => {
      const schema = properties[name] as TSchema
      const own = given?.[name]
      if (isFile(schema) && own !== undefined) return [name, { path: own, type: schema.contentMediaType }]
      // Without --allow-writes, mails go to an invented address.
      if (isWrite && schema.format === 'email') return [name, (this.allowWrites && own) || this.address('new')]
      return [name, own ?? sample[name]]
    })
    return Object.fromEntries(fields)
  }

  address(name: string): string {
    return `countersign-${this.#run}-${name}@example.test`
  }

  unknownLike(example = ''): string {
    if (formats.uuid.test(example)) return this.#unknownUuid
    return /^\d+$/.test(example) ? '987654321' : this.nonsense
  }
}
