import { useLayoutEffect, useState } from 'preact/hooks'

export type Topic = 'begun' | 'exchanges' | 'scenarios' | 'mail' | 'state' | 'clock' | 'sandboxes' | 'journal' | 'files'
type Changed = readonly Topic[] | 'all'
type Connection = 'connecting' | 'live' | 'lost'

/** An event, or the loss of the stream. */
interface StreamNote {
  readonly name: 'count' | 'begin' | 'exchange' | 'change' | 'lost'
  readonly data: string
}

const STREAM = new URL('events?exchanges=summary&pending=true', location.href).href
const RETRY = 1_000
/** Milliseconds, by which most requests are answered. */
const SOON = 250

/** Gets each entry as JSON, when it begins and when it ends. */
type StreamListener = (changed: Changed, entry?: string) => void

const listeners = new Set<StreamListener>()
let connection: Connection = 'connecting'
/** The server's count as of the last event. */
let known = { generation: '', number: 0 }
/** False until the stream is open or fails. */
export let isReady = false

/** Browsers open few connections to a host: windows of a sandbox share one stream, hidden ones have none. */
const windows = new BroadcastChannel(STREAM)
let turn: AbortController | undefined
let source: EventSource | undefined

export function listen(): void {
  document.addEventListener('visibilitychange', () => (document.hidden ? leave() : takeTurn()))
  windows.onmessage = ({ data }: MessageEvent<StreamNote | 'new'>) => {
    if (data !== 'new') receivers[data.name](data.data)
    else if (source !== undefined && connection === 'live') share({ name: 'count', data: JSON.stringify(known) })
  }
  windows.postMessage('new')
  setTimeout(() => isReady || begin(), SOON)
  takeTurn()
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

function takeTurn(): void {
  if (document.hidden || turn !== undefined) return
  turn = new AbortController()
  const { signal } = turn
  // Insecure origins have no locks.
  if (navigator.locks === undefined) return open(signal)
  const lead = () => {
    open(signal)
    return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  }
  navigator.locks.request(STREAM, { signal }, lead).catch(() => {})
}

function leave(): void {
  turn?.abort()
  turn = undefined
  close()
}

function open(signal: AbortSignal): void {
  if (signal.aborted) return
  source = new EventSource(STREAM)
  for (const name of ['count', 'begin', 'exchange', 'change'] as const)
    source.addEventListener(name, ({ data }) => share({ name, data }))
  source.onerror = () => {
    close()
    share({ name: 'lost', data: '' })
    setTimeout(() => open(signal), RETRY)
  }
}

function close(): void {
  source?.close()
  source = undefined
}

function share(note: StreamNote): void {
  windows.postMessage(note)
  receivers[note.name](note.data)
}

const receivers: Readonly<Record<StreamNote['name'], (data: string) => void>> = {
  count: (data) => {
    const now = JSON.parse(data)
    const isGap = !isReady || now.generation !== known.generation || now.number !== known.number
    known = now
    connection = 'live'
    if (isGap) begin()
    else tell(['files', 'sandboxes'])
  },
  begin: (data) => tell(['begun'], data),
  exchange: (data) => {
    known.number++
    tell(['exchanges'], data)
  },
  change: (data) => {
    const { what, number } = JSON.parse(data)
    known.number = number
    tell(what)
  },
  lost: () => {
    connection = 'lost'
    // EventSource hides why it failed; a query shows it.
    tell(['clock'])
  },
}

function begin(): void {
  isReady = true
  tell('all')
}

function tell(changed: Changed, entry?: string): void {
  for (const listener of listeners) listener(changed, entry)
}
