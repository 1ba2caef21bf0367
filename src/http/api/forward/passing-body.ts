import type { IncomingHttpHeaders } from 'node:http'
import type { Form } from '../../../../schemas/common.js'
import type { Contract } from '../../../../schemas/contract.js'
import type { Violation } from '../../../validation/violation.js'
import { requirePlainBody } from '../encodings.js'
import { formIn, noForm } from '../form.js'
import { parseHeader } from '../header-parameters.js'
import { malformedType, UnreadableForm } from '../unreadable-form.js'
import { FormStream } from './form-stream.js'

/**
 * Bytes of a body that are kept as it passes, to be judged as a whole one is, and sent again where a connection turns
 * out to be dead. Of a longer form the texts are kept and the files hashed; of any other longer body its beginning.
 */
const MOST_KEPT = 1024 * 1024

/** What Fastify takes for a media type, roughly. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** What a body says. */
export interface Read {
  readonly form: Form | null
  readonly text: string | null
  readonly unreadable: Violation | null
  /** Why its form is not judged; undefined where it is. */
  readonly unjudged?: string
}

/** A request's body on its way to the provider. */
export class PassingBody {
  readonly #contract: Contract
  readonly #type: string | undefined
  readonly #headers: IncomingHttpHeaders
  readonly #most: number
  #kept: Buffer[] = []
  #stream: FormStream | undefined
  #size = 0
  /** Whether all of it has passed. */
  ended = false

  constructor(contract: Contract, headers: IncomingHttpHeaders, most = MOST_KEPT) {
    this.#contract = contract
    this.#headers = headers
    this.#type = headers['content-type']
    this.#most = most
  }

  /** What has passed so far; undefined where not all of it is kept. */
  get soFar(): readonly Buffer[] | undefined {
    return this.#size <= this.#most ? this.#kept : undefined
  }

  take(chunk: Buffer): void {
    const before = this.#size
    this.#size += chunk.byteLength
    if (this.#size <= this.#most) this.#kept.push(chunk)
    else if (before <= this.#most) this.#keepLess(chunk)
    else this.#stream?.push(chunk)
  }

  #keepLess(chunk: Buffer): void {
    if (this.#isForm && this.#contract.form !== undefined) {
      this.#stream = this.#newStream()
      for (const one of [...this.#kept, chunk]) this.#stream?.push(one)
      this.#kept = []
    }
  }

  /** A form that cannot be read, whatever its bytes are, is read when it has ended. */
  #newStream(): FormStream | undefined {
    try {
      requirePlainBody(this.#headers)
      return new FormStream(this.#type ?? '', this.#contract)
    } catch {
      return undefined
    }
  }

  get #isForm(): boolean {
    return parseHeader(this.#type ?? '').value === 'multipart/form-data'
  }

  /** What it says, as far as it has passed. */
  read(): Read {
    const nothing = { form: null, unreadable: null }
    if (!this.ended) return { ...nothing, text: null, unjudged: 'the answer came before all of the body' }
    if (this.#contract.form === undefined) return { ...nothing, text: this.#text() }
    if (this.#stream?.isTooLong === true) return { ...nothing, text: null, unjudged: 'its texts are too long' }
    try {
      return { ...nothing, form: this.#form(), text: null }
    } catch (error) {
      if (!(error instanceof UnreadableForm)) throw error
      return { form: null, text: this.#isForm ? null : this.#text(), unreadable: error.violation }
    }
  }

  #form(): Form {
    if (this.#type && !MEDIA_TYPE.test(this.#type)) throw malformedType(this.#type)
    if (!this.#isForm) return noForm(this.#type, this.#size === 0, this.#contract)
    requirePlainBody(this.#headers)
    return this.#stream?.end() ?? formIn(Buffer.concat(this.#kept), this.#type as string, this.#contract)
  }

  #text(): string | null {
    return this.#size === 0 ? null : Buffer.concat(this.#kept).toString()
  }
}
