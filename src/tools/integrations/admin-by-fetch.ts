import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { objectIn } from '../../mock/text/json.js'
import { quote } from '../../mock/text/wording.js'
import { InvalidOption } from '../../server/invalid-option.js'
import type { Transport } from './admin-api.js'
import { originalFetch } from './fetch-target.js'

/** Node's own functions, kept before tools that intercept calls replace them. */
const originalRequest = { http: http.request, https: https.request } as const

/** How long to wait for the answer to the first call, in milliseconds. */
const PATIENCE = 10_000

/** Reaches the admin API of a server elsewhere. To close it ends all that listens; the server keeps running. */
export function createFetchTransport(adminToken: string | undefined): Transport {
  const authorization: Record<string, string> =
    adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` }
  const listening = new Set<ClientRequest>()
  let greeted = false
  return {
    call: async (api, path, { headers, ...init }) => {
      const signal = greeted ? undefined : AbortSignal.timeout(PATIENCE)
      const asked = { ...init, headers: { ...headers, ...authorization }, redirect: 'manual', signal } as const
      const { status, text } = await originalFetch(`${api}${path}`, asked)
        .then(async (response) => ({ status: response.status, text: await response.text() }))
        .catch((error) => Promise.reject(notThere(api, error)))
      greeted = true
      const answer = objectIn(text)
      const isProblem = typeof (answer as { detail?: unknown } | undefined)?.detail === 'string'
      if (answer === undefined || (status >= 300 && !isProblem)) throw notOurs(api)
      if (status === 401) throw new InvalidOption(tokenAsked(api, adminToken))
      return { status, text }
    },
    listen: (api) => {
      const start = api.startsWith('https:') ? originalRequest.https : originalRequest.http
      return new Promise((resolve, reject) => {
        const request = start(`${api}/events`, {
          headers: { ...authorization, accept: 'text/event-stream' },
          agent: false,
        })
        request.on('error', (error) => reject(notThere(api, error)))
        request.once('response', (response) => {
          if (response.statusCode !== 200) {
            request.destroy()
            return reject(new InvalidOption(`${api}/events answers ${response.statusCode}.`))
          }
          listening.add(request)
          request.once('close', () => listening.delete(request))
          // The first words come when the sandbox is listened to. Listening does not keep the process alive.
          response.once('readable', () => {
            response.socket.unref()
            resolve({ texts: response.setEncoding('utf8'), end: () => void request.destroy() })
          })
        })
        request.end()
      })
    },
    close: async () => {
      for (const request of listening) request.destroy()
    },
  }
}

function tokenAsked(api: string, adminToken: string | undefined): string {
  const wrong = adminToken === undefined ? 'requires its admin token' : 'does not accept this admin token'
  return `The server at ${api} ${wrong}. Pass the token of its --admin-token: connect(url, { adminToken }).`
}

/** The error for a server that is not countersign. */
export function notOurs(api: string): InvalidOption {
  return new InvalidOption(`${quote(api)} is not the admin API of a countersign server.`)
}

/** The error if no server answers; says how to start one. */
function notThere(api: string, error: Error): Error {
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
  const why = typeof code === 'string' ? code : message
  return new Error(
    `No server answers at ${api} (${why}). Start one, for example with 'npx countersign', and pass its URL.`,
    { cause: error },
  )
}
