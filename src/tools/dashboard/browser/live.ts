import { useLayoutEffect, useState } from 'preact/hooks'

export type Topic = 'begin' | 'exchanges' | 'scenarios' | 'mail' | 'state' | 'clock' | 'sandboxes' | 'journal' | 'files'
type Changed = readonly Topic[] | 'all'
type Connection = 'connecting' | 'live' | 'lost'

/** An event, or the loss of the stream. */
interface StreamMessage {
  readonly name: 'count' | 'begin' | 'exchange' | 'change' | 'lost'
  readonly data: string
}

const STREAM_URL = new URL('events?exchanges=summary&pending=true', location.href).href
const RETRY_PAUSE = 1_000
/** Milliseconds; then data is fetched without a stream. */
const MAX_STREAM_WAIT = 250

/** Gets each entry as JSON, when it begins and when it ends. */
type StreamListener = (changed: Changed, entry?: string) => void

const listeners = new Set<StreamListener>()
export let connection: Connection = 'connecting'
/** How many exchanges and changes the server has counted. */
let lastCount = { generation: '', number: 0 }
/** False until the stream opens or the wait ends. */
export let isReady = false

/** Browsers open few connections to a host: the windows of a sandbox share one stream, hidden ones have none. */
const windows = new BroadcastChannel(STREAM_URL)
let streamRequest: AbortController | undefined
let source: EventSource | undefined

export function startStream(): void {
  document.addEventListener('visibilitychange', () => (document.hidden ? closeStream() : requestStream()))
  windows.onmessage = ({ data }: MessageEvent<StreamMessage | 'new'>) => {
    if (data !== 'new') handlers[data.name](data.data)
    else if (source !== undefined && connection === 'live')
      broadcast({ name: 'count', data: JSON.stringify(lastCount) })
  }
  setTimeout(() => isReady || notifyOfAll(), MAX_STREAM_WAIT)
  requestStream()
}

export function onChange(listener: StreamListener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useConnection(): Connection {
  const [now, set] = useState(connection)
  useLayoutEffect(() => onChange(() => set(connection)), [])
  return now
}

export function requestStream(): void {
  if (document.hidden || streamRequest !== undefined) return
  streamRequest = new AbortController()
  const { signal } = streamRequest
  windows.postMessage('new')
  // Insecure origins have no locks.
  if (navigator.locks === undefined) return openStream(signal)
  const lead = () => {
    openStream(signal)
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  navigator.locks.request(STREAM_URL, { signal }, lead).catch(() => {})
}

export function closeStream(): void {
  streamRequest?.abort()
  streamRequest = undefined
  endSource()
  connection = 'connecting'
}

function openStream(signal: AbortSignal): void {
  if (signal.aborted) return
  source = new EventSource(STREAM_URL)
  for (const name of ['count', 'begin', 'exchange', 'change'] as const)
    source.addEventListener(name, ({ data }) => broadcast({ name, data }))
  source.onerror = () => {
    endSource()
    broadcast({ name: 'lost', data: '' })
    setTimeout(() => openStream(signal), RETRY_PAUSE)
  }
}

function endSource(): void {
  source?.close()
  source = undefined
}

function broadcast(message: StreamMessage): void {
  windows.postMessage(message)
  handlers[message.name](message.data)
}

const handlers: Readonly<Record<StreamMessage['name'], (data: string) => void>> = {
  count: (data) => {
    const now = JSON.parse(data)
    const isGap = !isReady || now.generation !== lastCount.generation || now.number !== lastCount.number
    lastCount = now
    connection = 'live'
    if (isGap) notifyOfAll()
    else notify(['files', 'sandboxes'])
  },
  begin: (data) => notify(['begin'], data),
  exchange: (data) => {
    lastCount.number++
    notify(['exchanges'], data)
  },
  change: (data) => {
    const { what, number } = JSON.parse(data)
    lastCount.number = number
    notify(what)
  },
  lost: () => {
    connection = 'lost'
    // EventSource hides a 401; a query of the clock shows it.
    notify(['clock'])
  },
}

function notifyOfAll(): void {
  isReady = true
  notify('all')
}

function notify(changed: Changed, entry?: string): void {
  for (const listener of listeners) listener(changed, entry)
}
