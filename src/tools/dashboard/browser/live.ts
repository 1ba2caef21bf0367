import { useLayoutEffect, useState } from 'preact/hooks'

export type Topic = 'exchanges' | 'scenarios' | 'mail' | 'state' | 'clock' | 'sandboxes' | 'journal' | 'files'
type Changed = readonly Topic[] | 'all'
type Connection = 'connecting' | 'live' | 'lost'

/** An event of the stream, or that it is lost. */
interface StreamNote {
  readonly name: 'count' | 'begin' | 'exchange' | 'change' | 'lost'
  readonly data: string
}

const STREAM = new URL('events?exchanges=summary&pending=true', location.href).href
const RETRY = 1_000
/** Milliseconds: the stream is open and most requests are answered sooner. */
const SOON = 250

const listeners = new Set<(changed: Changed) => void>()
const entryListeners = new Set<(entry: string) => void>()
let connection: Connection = 'connecting'
/** What the server has counted, as far as it is known here. */
let known = { generation: '', number: 0 }
/** Whether to look at once: the stream tells of each later change, or something holds it up. */
export let isReady = false

/** Browsers open few connections to a host: the windows of a sandbox share one stream, and hidden ones have none. */
const windows = new BroadcastChannel(STREAM)
let turn: AbortController | undefined
let source: EventSource | undefined

export function listen(): void {
  document.addEventListener('visibilitychange', () => (document.hidden ? leave() : takeTurn()))
  windows.onmessage = ({ data }: MessageEvent<StreamNote | 'new'>) => {
    if (data !== 'new') receive(data)
    else if (source !== undefined && connection === 'live') share({ name: 'count', data: JSON.stringify(known) })
  }
  windows.postMessage('new')
  setTimeout(() => isReady || begin(), SOON)
  takeTurn()
}

export function onChange(listener: (changed: Changed) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Gives each entry of the journal as JSON, as it begins and again as it ends. */
export function onEntry(listener: (entry: string) => void): () => void {
  entryListeners.add(listener)
  return () => void entryListeners.delete(listener)
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
  receive(note)
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
  begin: tellEntry,
  exchange: (data) => {
    known.number++
    tellEntry(data)
    tell(['exchanges'])
  },
  change: (data) => {
    const { what, number } = JSON.parse(data)
    known.number = number
    tell(what)
  },
  lost: () => {
    connection = 'lost'
    // EventSource does not say why it failed; a query does.
    tell(['clock'])
  },
}

function receive({ name, data }: StreamNote): void {
  receivers[name](data)
}

function begin(): void {
  isReady = true
  tell('all')
}

function tell(changed: Changed): void {
  for (const listener of listeners) listener(changed)
}

function tellEntry(entry: string): void {
  for (const listener of entryListeners) listener(entry)
}
