import { randomBytes, randomUUID } from 'node:crypto'
import type { TObject, TSchema } from '@sinclair/typebox'
import { formats } from '../../engine/contract/check.js'
import { type Contract, isReadOnly } from '../../engine/contract/contract.js'
import { isFile } from '../../engine/contract/fields.js'
import type { CurlValue } from '../../engine/judge/curl.js'
import { type SampleCall, type SampleFiles, sampleCall, type Texts } from '../../engine/judge/sample-call.js'

export interface CallChanges {
  readonly params?: Texts
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly form?: Readonly<Record<string, CurlValue | undefined>>
}

export interface Token {
  readonly header: string
  readonly kind: 'user' | 'invalid' | 'empty' | 'without permission'
}

export function tokenFor({ tokenHeaders: [header] }: Contract, kind: Token['kind']): Token {
  return { header: header?.name ?? '', kind }
}

export interface SentCall extends SampleCall {
  readonly contract: Contract
  readonly token: Token | null
  /** Equal calls are sent once, unless this differs. */
  readonly attempt?: number | undefined
}

export function applyChanges({ params, query, form }: SampleCall, changes: CallChanges): SampleCall {
  return {
    params: { ...params, ...changes.params },
    query: withoutUndefined({ ...query, ...changes.query }),
    form: form && withoutUndefined({ ...form, ...changes.form }),
  }
}

function withoutUndefined<V>(values: Readonly<Record<string, V | undefined>>) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<string, V>
}

/** By operation; values of files are paths. */
export type DataFile = Readonly<Record<string, OperationData>>

type OperationData = { readonly [Part in 'params' | 'query' | 'form']?: Texts } & {
  readonly [key: string]: Texts | string | undefined
}

export class TestData {
  readonly #runId = randomBytes(4).toString('hex')
  readonly #unknownUuid = randomUUID()
  /** A text that no record of the provider contains, of a fixed length. */
  readonly nonsense = `countersign${this.#runId}`

  constructor(
    private readonly data: DataFile,
    private readonly sampleFiles: SampleFiles,
    private readonly allowWrites: boolean,
  ) {}

  dataFor({ id }: Contract): OperationData {
    return this.data[id] ?? {}
  }

  hasDataFor(contract: Contract): boolean {
    const { params, query, form } = this.dataFor(contract)
    return (params ?? query ?? form) !== undefined
  }

  sampleCall(contract: Contract): SampleCall {
    const { params, query, form } = this.dataFor(contract)
    const sample = sampleCall(contract, this.sampleFiles)
    return {
      params: { ...sample.params, ...params },
      query: { ...sample.query, ...query },
      form: sample.form && this.#form(contract, sample.form, form),
    }
  }

  /** A write gets required fields and those of the data file; if none is required, as in an update, it gets no field. */
  #form(contract: Contract, sample: NonNullable<SampleCall['form']>, data: Texts | undefined) {
    const { properties, required = [] } = contract.form as TObject
    const isWrite = !isReadOnly(contract)
    const names = isWrite || data !== undefined ? [...required, ...Object.keys(data ?? {})] : Object.keys(sample)
    const fields = (isWrite && required.length === 0 ? [] : names).map((name) => {
      const schema = properties[name] as TSchema
      const value = data?.[name]
      if (isFile(schema) && value !== undefined) return [name, { path: value, type: schema.contentMediaType }]
      // Without --allow-writes, mails go to an invented address.
      if (isWrite && schema.format === 'email') return [name, (this.allowWrites && value) || this.address('new')]
      return [name, value ?? sample[name]]
    })
    return Object.fromEntries(fields)
  }

  address(name: string): string {
    return `countersign-${this.#runId}-${name}@example.test`
  }

  unknownValueLike(example = ''): string {
    if (formats.uuid.test(example)) return this.#unknownUuid
    return /^\d+$/.test(example) ? '987654321' : this.nonsense
  }
}
