import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { curlClients } from './curl.mjs'

/** Bytes of a piece of a body that is sent as a stream. */
const PIECE = 64_000
/** For bytes that are called a form: whether they are one is not looked at where there are too many. */
const FORM_TYPE = 'multipart/form-data; boundary=some'

const agents = { true: new Agent({ keepAlive: true }), false: new Agent({ keepAlive: false }) }

/**
 * The clients that are there: by name, what sends the body with `method`, `url` and `headers`, and says which answer it
 * saw as `{ status, type }`. `folder` holds the node_modules of those that are no part of Node, if there is one.
 */
export async function clientsOf(body, folder) {
  return {
    ...fetchClients(body),
    ...nodeClients(body),
    ...(folder !== undefined && (await installedClients(body, createRequire(join(folder, 'clients.cjs'))))),
    ...curlClients(body),
  }
}

function fetchClients({ bytes, blob }) {
  const send = async ({ url, ...init }) => {
    const response = await fetch(url, init)
    await response.text()
    return { status: response.status, type: response.headers.get('content-type') }
  }
  const stream = ({ headers, ...call }) => {
    const body = Readable.toWeb(Readable.from(pieces(bytes)))
    return send({ ...call, headers: { ...headers, 'content-type': FORM_TYPE }, body, duplex: 'half' })
  }
  return {
    'fetch, FormData': (call) => send({ ...withConnection(call), body: formOf(blob) }),
    'fetch, Buffer': (call) => send({ ...withConnection(call), body: bytes }),
    'fetch, stream': (call) => stream(withConnection(call)),
  }
}

function nodeClients({ bytes }) {
  const send = async ({ method, url, headers, keepAlive }, more) => {
    const call = request(url, { method, agent: agents[keepAlive], headers: { ...headers, ...more } })
    const answered = once(call, 'response')
    // What goes wrong with the sending once the answer is there is no concern of the client's.
    Readable.from(pieces(bytes)).pipe(call.on('error', () => {}))
    const [answer] = await answered
    await once(answer.resume(), 'end')
    return { status: answer.statusCode, type: answer.headers['content-type'] }
  }
  return {
    'node:http, Content-Length': (call) => send(call, { 'content-length': bytes.length }),
    'node:http, chunked': (call) => send(call, { 'content-type': FORM_TYPE }),
  }
}

async function installedClients({ bytes, blob }, require) {
  // Whichever is loaded first of Node's undici and the installed one makes the dispatcher that both take by default.
  await fetch('data:,')
  return { ...axiosClients(load('axios', require), bytes, blob), ...undiciClients(load('undici', require), bytes) }
}

function axiosClients(axios, bytes, blob) {
  if (axios === undefined) return {}
  const send = async ({ method, url, headers, keepAlive }, data) => {
    const validateStatus = () => true
    const answer = await axios.request({ method, url, headers, data, httpAgent: agents[keepAlive], validateStatus })
    return { status: answer.status, type: answer.headers['content-type'] }
  }
  return {
    'axios, FormData': (call) => send(call, formOf(blob)),
    'axios, Buffer': (call) => send(call, bytes),
  }
}

function undiciClients(undici, bytes) {
  if (undici === undefined) return {}
  const dispatcher = new undici.Agent()
  return {
    'undici request, Buffer': async ({ method, url, headers, keepAlive }) => {
      const answer = await undici.request(url, { method, headers, body: bytes, dispatcher, reset: !keepAlive })
      await answer.body.text()
      return { status: answer.statusCode, type: answer.headers['content-type'] }
    },
  }
}

/** A library, where it is installed. */
function load(name, require) {
  try {
    return require(name)
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error
  }
}

function formOf(blob) {
  const form = new FormData()
  form.set('file', blob, 'signature.png')
  return form
}

function* pieces(bytes) {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

/** A call of a client that keeps its connection unless a header says otherwise. */
function withConnection({ keepAlive, headers, ...call }) {
  return { ...call, headers: keepAlive ? headers : { ...headers, connection: 'close' } }
}
