import { useEffect, useState } from 'preact/hooks'
import { linkTo } from './address.js'
import { useLive } from './context.js'
import type { Connection } from './live.js'
import { sandboxHere } from './world.js'

interface Props {
  readonly views: Readonly<Record<string, { readonly title: string }>>
  readonly current: string
}

/** The world, the views, and whether what is shown is up to date. */
export function TopBar({ views, current }: Props) {
  return (
    <header class="top">
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <p class="brand">countersign</p>
      <p class="world" title="The world that this page is about">
        <bdi>{sandboxHere === undefined ? 'root' : `~${sandboxHere}`}</bdi>
      </p>
      <nav class="views" aria-label="Dashboard">
        <ul>
          {Object.entries(views).map(([name, { title }]) => (
            <li key={name}>
              <a href={linkTo(name)} aria-current={name === current ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
          <li>
            <a href="docs">Docs</a>
          </li>
        </ul>
      </nav>
      <ConnectionState />
    </header>
  )
}

/** No link, since what stands behind the hash is the view's address. */
function skip(): void {
  document.querySelector<HTMLElement>('main')?.focus()
}

const words: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting …',
  live: 'Live',
  lost: 'Connection lost, trying again …',
}

function ConnectionState() {
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
