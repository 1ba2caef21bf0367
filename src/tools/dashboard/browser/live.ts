import { useLayoutEffect, useState } from 'preact/hooks'

export type Topic = 'exchanges' | 'scenarios' | 'mail' | 'state' | 'clock' | 'sandboxes' | 'journal' | 'files'
type Changed = readonly Topic[] | 'all'
type Connection = 'connecting' | 'live' | 'lost'

const RETRY = 1_000
/** Milliseconds: the stream is open and most requests are answered sooner. */
const SOON = 250

const listeners = new Set<(changed: Changed) => void>()
let connection: Connection = 'connecting'
let source: EventSource | undefined
/** Whether to look at once: the event stream tells of each later change, or something holds it up. */
export let isReady = false
const pending = new Map<string, ReturnType<typeof setTimeout>>()

/** Browsers open few connections to one host, so a hidden page has none. */
export function listen(): void {
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()))
  setTimeout(() => isReady || begin(), SOON)
  open()
}

export function onChange(listener: (changed: Changed) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function tell(changed: Changed): void {
  for (const listener of listeners) listener(changed)
}

export function useConnection(): Connection {
  const [now, set] = useState(connection)
  useLayoutEffect(() => onChange(() => set(connection)), [])
  return now
}

function open(): void {
  if (document.hidden || source !== undefined) return
  source = new EventSource('events?exchanges=summary&pending=true')
  source.onopen = () => {
    connection = 'live'
    begin()
  }
  source.onerror = () => {
    close()
    connection = 'lost'
    setTimeout(open, RETRY)
    // EventSource does not say why it failed; a query does.
    tell(['clock'])
  }
  source.addEventListener('begin', ({ data }) => {
    const { id } = JSON.parse(data)
    pending.set(
      id,
      setTimeout(() => tell(['exchanges']), SOON),
    )
  })
  source.addEventListener('exchange', ({ lastEventId }) => {
    clearTimeout(pending.get(lastEventId))
    pending.delete(lastEventId)
    tell(['exchanges'])
  })
  source.addEventListener('change', ({ data }) => tell(JSON.parse(data).what))
}

function begin(): void {
  isReady = true
  tell('all')
}

function close(): void {
  source?.close()
  source = undefined
}
