import { originalFetch } from '../../server/fetch-target.js'
import { InvalidOption } from '../../server/invalid-option.js'
import { objectIn } from '../../text/json.js'
import { quote } from '../../text/wording.js'

/** Thrown if the admin API refuses a call; the message is its own (RFC 9457). */
export class Refusal extends Error {
  readonly status: number
  readonly complaints: readonly Complaint[] | undefined

  constructor(status: number, { detail, complaints }: ProblemBody) {
    super(detail)
    this.status = status
    this.complaints = complaints
  }
}

/** What is wrong at one place in the data that was sent. */
interface Complaint {
  readonly path: string
  readonly message: string
}

interface ProblemBody {
  readonly detail: string
  readonly complaints?: readonly Complaint[]
}

type Method = 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE'
type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** The admin API of one world on another server. */
export class AdminApi {
  /** Without a trailing slash. */
  readonly url: string
  readonly #token: string | undefined

  constructor(url: string, token: string | undefined) {
    this.url = url
    this.#token = token
  }

  get headers(): Record<string, string> {
    return this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }
  }

  /** `signal` aborts the call. */
  get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
    return this.#call('GET', search.size === 0 ? path : `${path}?${search}`, undefined, signal)
  }

  /**
   * Sends a command to the world and returns its answer.
   * @throws {Refusal} if the admin API refuses the call
   * @throws {Error} if no server answers
   */
  async send<T>(method: Method, path: string, body?: unknown): Promise<T> {
    return this.#call(method, path, body)
  }

  async #call<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const headers = { ...this.headers, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const { status, text } = await this.#answerOf(path, { method, headers, redirect: 'manual', signal, ...json })
    const answer = objectIn(text)
    if (answer !== undefined && status < 300) return answer as T
    if (!isProblem(answer)) throw notOurs(this.url)
    if (status === 401) throw new InvalidOption(this.#tokenAsked())
    throw new Refusal(status, answer)
  }

  /** @throws {Error} if the connection fails at any time */
  async #answerOf(path: string, init: RequestInit): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const response = await originalFetch(`${this.url}${path}`, init)
      return { status: response.status, text: await response.text() }
    } catch (error) {
      throw notThere(this.url, error as Error)
    }
  }

  #tokenAsked(): string {
    const wrong = this.#token === undefined ? 'requires its admin token' : 'does not accept this admin token'
    return `The server at ${this.url} ${wrong}. Pass the token of its --admin-token: connect(url, { adminToken }).`
  }
}

function isProblem(answer: object | undefined): answer is ProblemBody {
  return typeof (answer as Partial<ProblemBody> | undefined)?.detail === 'string'
}

/** The error for a server that is not countersign. */
export function notOurs(url: string): InvalidOption {
  return new InvalidOption(`${quote(url)} is not the admin API of a countersign server.`)
}

/** The error if no server answers; says how to start one. */
export function notThere(url: string, error: Error): Error {
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
  const why = typeof code === 'string' ? code : message
  return new Error(
    `No server answers at ${url} (${why}). Start one, for example with 'npx countersign', and pass its URL.`,
    { cause: error },
  )
}
