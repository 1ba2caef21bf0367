import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { ExchangeEntry } from '../../world/journal/entry.js'
import { type AdminApi, notThere, Refusal } from './admin-api.js'

/** Node's own functions, kept before tools that intercept calls replace them. */
const originalRequest = { http: http.request, https: https.request } as const

/**
 * Calls the listener with each exchange of a world as it ends. Resolves, once it is listening, with a function that stops
 * it. Listening does not keep the process alive.
 */
export function listenTo(api: AdminApi, listener: (exchange: ExchangeEntry) => void): Promise<() => void> {
  const url = `${api.url}/events`
  const start = url.startsWith('https:') ? originalRequest.https : originalRequest.http
  return new Promise((resolve, reject) => {
    const request: ClientRequest = start(url, {
      headers: { ...api.headers, accept: 'text/event-stream' },
      agent: false,
    })
    request.on('error', (error) => reject(notThere(api.url, error)))
    request.once('response', (response) => {
      if (response.statusCode !== 200) {
        request.destroy()
        return reject(new Refusal(response.statusCode ?? 0, { detail: `${url} answers ${response.statusCode}.` }))
      }
      // The first words come when the world is listened to.
      response.once('readable', () => {
        response.socket.unref()
        resolve(() => void request.destroy())
      })
      void readEvents(response, listener)
    })
    request.end()
  })
}

async function readEvents(response: IncomingMessage, listener: (exchange: ExchangeEntry) => void): Promise<void> {
  let rest = ''
  response.setEncoding('utf8')
  try {
    for await (const text of response) {
      const events = `${rest}${text}`.split('\n\n')
      rest = events.pop() as string
      for (const event of events) {
        const data = /^event: exchange\ndata: (.*)$/m.exec(event)?.[1]
        if (data !== undefined) listener(JSON.parse(data))
      }
    }
  } catch {
    // Whoever ended it knows; of a server that went, the next call tells.
  }
}
