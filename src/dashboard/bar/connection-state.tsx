import { useEffect, useState } from 'preact/hooks'
import { useLive } from '../context.js'
import type { Connection } from '../live.js'

const words: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost, trying again …',
}

/** Whether what is shown is up to date. */
export function ConnectionState() {
  const live = useLive()
  const [connection, setConnection] = useState(live.connection)
  useEffect(() => {
    setConnection(live.connection)
    return live.subscribe((news) => setConnection(news.connection))
  }, [live])
  return (
    <p class={`connection ${connection}`} role="status">
      {words[connection]}
    </p>
  )
}
