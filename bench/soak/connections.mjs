import { Agent, request } from 'node:http'
import { connect } from 'node:net'

/** The only address that is ever called. */
const HOST = '127.0.0.1'
/** Milliseconds after which a request that nobody answered counts as lost. */
const PATIENCE = 20_000

/** Connections of a client that are kept; each phase has fewer workers. */
const MOST_KEPT = 32

/** A client of the server's that keeps its connections. */
export function clientOf(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_KEPT })
  return {
    /** Sends a request, and resolves with the status and the text of its answer. */
    send: (wanted) => sendOver(agent, port, wanted),
    /** A bare connection on which this text has been sent; what comes back is read and let go unless it `sleeps`. */
    open: (text, options) => openConnection(port, text, options),
    end: () => agent.destroy(),
  }
}

function sendOver(agent, port, { method, url, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const call = request({ agent, host: HOST, port, method, path: url, headers, timeout: PATIENCE }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (more) => {
        text += more
      })
      answer.once('end', () => resolve({ status: answer.statusCode, text }))
      answer.once('error', reject)
    })
    call.once('error', reject)
    call.once('timeout', () => call.destroy(new Error(`no answer to ${method} ${url} in ${PATIENCE} ms`)))
    call.end(body)
  })
}

function openConnection(port, text, { sleeps = false } = {}) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: HOST, port })
    socket.once('error', reject)
    socket.once('connect', () => {
      // From here on the server may break it off, which is its right.
      socket.off('error', reject).on('error', () => {})
      if (sleeps) socket.pause()
      else socket.resume()
      socket.write(text, () => resolve(socket))
    })
  })
}

/** Connections that stay open, at most so many: then the oldest is broken off. */
export class Pool {
  #most
  #open = []

  constructor(most) {
    this.#most = most
  }

  add(socket) {
    this.#open.push(socket)
    if (this.#open.length > this.#most) this.#open.shift().destroy()
  }

  end() {
    for (const socket of this.#open.splice(0)) socket.destroy()
  }
}

/** The head of a request, as it is written on a connection. */
export function headOf(method, url, headers = {}) {
  const lines = Object.entries({ host: HOST, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${url} HTTP/1.1\r\n${lines.join('')}`
}
