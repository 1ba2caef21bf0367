import { randomBytes, randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { TObject, TSchema } from '@sinclair/typebox'
import { exampleOf, isFile } from '../../../schemas/common.js'
import { type Contract, isRead } from '../../../schemas/contract.js'
import { sentFields } from '../../docs/example-call.js'
import { sampleFiles } from '../../docs/sample-files.js'
import type { FilePart, Request } from './call.js'

type Given = Readonly<Record<string, string | number | boolean>>

/** Values that exist at the provider, in place of a contract's examples. */
export interface ProbeValues {
  readonly params?: Given
  readonly query?: Given
  /** A file field's value is a path. */
  readonly form?: Given
  /** The e-mail address of someone who is a member already. */
  readonly member?: string
  /** A member whose sub-organization belongs to another organization than the caller. */
  readonly foreign?: Given
}

export type DataFile = Readonly<Record<string, ProbeValues>>

/** What the default world has, for a provider that holds it, as a second countersign does. */
const DEFAULT_WORLD: DataFile = {
  addOrganizationMember: { member: 'amelie.vestergaard@example.test' },
  updateSubOrganizationMember: {
    foreign: { subOrganizationUuid: 'e0c4a7d2-9f13-4b85-a6e8-3d5b1c7f9024', subOrgMemberId: '301' },
  },
}

/** What calls say: what the user named for the provider, else the examples of the contracts. */
export class Values {
  readonly #data: DataFile
  readonly #allowWrites: boolean
  /** Addresses and names of a run are its own. */
  readonly #run = randomBytes(4).toString('hex')
  readonly #unknownUuid = randomUUID()
  readonly #complete = new Map<string, Request>()

  constructor(data: DataFile = {}, allowWrites = false) {
    this.#data = data
    this.#allowWrites = allowWrites
  }

  /** Whether the user named what exists at the provider. */
  isGiven({ id }: Contract): boolean {
    const { params, query, form } = this.#data[id] ?? {}
    return [params, query, form].some((part) => part !== undefined)
  }

  given({ id }: Contract): ProbeValues {
    return this.#data[id] ?? {}
  }

  /** What the user named, else what the default world has. */
  extra<N extends 'member' | 'foreign'>({ id }: Contract, name: N): { value: ProbeValues[N]; given: boolean } {
    const own = this.#data[id]?.[name]
    return own === undefined ? { value: DEFAULT_WORLD[id]?.[name], given: false } : { value: own, given: true }
  }

  /** A request that the operation should carry out; the same one, whenever it is asked for. */
  complete(contract: Contract): Request {
    const { id, params, query, form } = contract
    const known = this.#complete.get(id)
    if (known !== undefined) return known
    const given = this.given(contract)
    const made = {
      params: values(params, Object.keys(params.properties), given.params),
      query: values(query, query.required ?? [], given.query),
      form: form === undefined ? null : this.#form(contract, form, given.form),
    }
    this.#complete.set(id, made)
    return made
  }

  #form(contract: Contract, form: TObject, given: Given | undefined): NonNullable<Request['form']> {
    const own = texts(given ?? {})
    return Object.fromEntries(
      namesToSend(contract, form, given).map((name) => {
        const schema = form.properties[name] as TSchema
        if (isFile(schema)) return [name, filePart(schema, own[name])]
        return [name, this.#addressOr(contract, schema, own[name])]
      }),
    )
  }

  /** Whom a write is about is best someone new; unless writes are allowed it is nobody whom the user named. */
  #addressOr(contract: Contract, schema: TSchema, own: string | undefined): string {
    const isWritten = !isRead(contract) && schema.format === 'email'
    if (!isWritten) return own ?? exampleOf(schema)
    return own !== undefined && this.#allowWrites ? own : this.address('new')
  }

  /** An unused e-mail address: the domain is reserved (RFC 2606). */
  address(whose: string): string {
    return `countersign-${this.#run}-${whose}@example.test`
  }

  /** A word that is nowhere else. */
  get nonsense(): string {
    return `countersign${this.#run}`
  }

  /** An identifier of the same form as another one, which nothing has. */
  unknownLike(example: string): string {
    if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(example)) return this.#unknownUuid
    return /^\d+$/.test(example) ? '987654321' : this.nonsense
  }
}

/** A read sends what it is about; a write only what it must, so that an update changes nothing. */
function namesToSend(contract: Contract, body: TObject, given: object | undefined): string[] {
  const { required = [] } = body
  if (!isRead(contract) && required.length === 0) return []
  const names = isRead(contract) && given === undefined ? sentFields(body) : required
  return [...new Set([...names, ...Object.keys(given ?? {})])]
}

/** A file from disk or, without a path, the sample of the field's media type. */
export function filePart(schema: TSchema, path?: string): FilePart {
  const mediaType = String(schema.contentMediaType)
  const content = path ?? sampleFiles[mediaType]
  return content === undefined
    ? { content: new TextEncoder().encode('countersign'), name: 'sample', mediaType }
    : { content, name: basename(content), mediaType }
}

function values(schema: TObject, names: readonly string[], given: Given = {}): Record<string, string> {
  const examples = names.map((name) => [name, exampleOf(schema.properties[name])] as const)
  return { ...Object.fromEntries(examples), ...texts(given) }
}

function texts(given: Given): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
}

/** Every text field of a form, as its example has it. */
export function sample(form: TObject | undefined): Record<string, string> {
  const fields = Object.entries<TSchema>(form?.properties ?? {}).filter(([, schema]) => !isFile(schema))
  return Object.fromEntries(fields.map(([name, schema]) => [name, exampleOf(schema)]))
}
