import type { Form, UploadedFile } from '../../../../schemas/common.js'
import { type Contract, filesOf } from '../../../../schemas/contract.js'
import { formOf } from '../form.js'
import { delimiterOf } from '../multipart.js'
import { MOST_PARTS, type UnreadableForm, unreadable } from '../unreadable-form.js'
import { PartStream } from './part-stream.js'

const [TAB, LF, CR, SPACE, DASH] = [9, 10, 13, 32, 45]

/** Bytes of all texts and heads of parts that are kept to be judged. */
const MOST_TEXT = 1024 * 1024
/** Bytes of white space after a delimiter that are waited for. */
const LONGEST_PADDING = 1_000

/**
 * Reads a form that streams by to what `readParts` makes of a whole one, with the same complaints in the same order. It
 * keeps the texts, and of files what the journal shows.
 */
export class FormStream {
  readonly #delimiter: Buffer
  readonly #files: ReadonlySet<string>
  readonly #parts: { readonly name: string; readonly value: string | UploadedFile }[] = []
  #part: PartStream | undefined
  /** Bytes that are not told apart yet; the first delimiter needs no line before it. */
  #rest: Buffer = Buffer.from('\r\n')
  /** Where in them content begins, and where the next delimiter may. */
  #content = 0
  #search = 0
  #begun = 0
  #arrived = 0
  #text = 0
  #closed = false
  /** What is wrong with the order of parts comes before what is wrong with one of them. */
  #wrong: UnreadableForm | undefined
  #wrongPart: UnreadableForm | undefined

  /** @throws {UnreadableForm} for a Content-Type without a boundary that can be used */
  constructor(contentType: string, contract: Contract) {
    this.#delimiter = delimiterOf(contentType)
    this.#files = filesOf(contract)
  }

  /** Whether it has more text than is kept. */
  get isTooLong(): boolean {
    return this.#text > MOST_TEXT
  }

  push(chunk: Buffer): void {
    this.#arrived += chunk.byteLength
    if (this.#closed || this.#wrong !== undefined || this.isTooLong) return
    const bytes = this.#rest.byteLength === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (this.#step(bytes));
    const done = Math.min(this.#content, this.#search)
    this.#rest = bytes.subarray(done)
    this.#content -= done
    this.#search -= done
  }

  /**
   * The form, once all of it has come.
   * @throws {UnreadableForm} for a body that is not a well-formed form
   */
  end(): Form {
    if (this.#wrong !== undefined) throw this.#wrong
    // An empty body is an empty form.
    if (!this.#closed && this.#arrived > 0) throw unreadable('cut-off-body')
    if (this.#wrongPart !== undefined) throw this.#wrongPart
    return formOf(this.#parts, (file) => file)
  }

  /** Looks for the next delimiter; whether there may be another one. */
  #step(bytes: Buffer): boolean {
    const at = bytes.indexOf(this.#delimiter, this.#search)
    if (at === -1) {
      this.#search = Math.max(this.#search, bytes.length - this.#delimiter.length + 1)
      this.#takeUpTo(this.#search, bytes)
      return false
    }
    this.#takeUpTo(at, bytes)
    const after = at + this.#delimiter.length
    const closes = bytes[after] === DASH && bytes[after + 1] === DASH
    let line = after
    while (bytes[line] === SPACE || bytes[line] === TAB) line++
    if (line + 1 >= bytes.length && line - after < LONGEST_PADDING) {
      // The next bytes say whether it is one.
      this.#search = at
      return false
    }
    // A line's end may begin the next delimiter.
    this.#search = line
    // Else it is a line of content that begins like a delimiter.
    if (!closes && !(bytes[line] === CR && bytes[line + 1] === LF)) return true
    this.#endPart()
    this.#closed = closes
    if (!closes && this.#begun >= MOST_PARTS) this.#wrong = unreadable('too-many-parts')
    if (closes || this.#wrong !== undefined) return false
    this.#part = new PartStream(this.#files)
    this.#content = line
    return true
  }

  #takeUpTo(end: number, bytes: Buffer): void {
    if (end <= this.#content) return
    this.#complain(() => {
      this.#text += this.#part?.take(bytes.subarray(this.#content, end)) ?? 0
    })
    this.#content = end
  }

  #endPart(): void {
    const part = this.#part
    // .NET sends a form without fields as one part of nothing.
    if (part === undefined || part.isEmpty) return
    this.#begun++
    this.#complain(() => this.#parts.push(part.end()))
  }

  #complain(read: () => void): void {
    try {
      read()
    } catch (error) {
      this.#wrongPart ??= error as UnreadableForm
    }
  }
}
