import { useAdminQuery } from '../../admin-query.js'
import { Code } from '../../parts/code.js'
import { CopyButton } from '../../parts/copy-button.js'
import { sandboxHere, urlOfWorld } from '../../world.js'

interface Example {
  readonly path: string
  readonly token: string
}

/** What a newcomer needs for a first request: base URL, token, and a curl line that works. */
export function FirstRequest() {
  const { data } = useAdminQuery<Example>('examples/listCreditHistories', ['state'])
  const url = urlOfWorld(sandboxHere)
  const texts = data && {
    'Base URL': url,
    Token: data.token,
    'A first request': `curl -H 'Authorization: Bearer ${data.token}' '${url}${data.path}'`,
  }
  return (
    <div class="nothing">
      <p>No requests yet. They appear here as they are answered.</p>
      {Object.entries(texts ?? {}).map(([name, text]) => (
        <section key={name} aria-label={name}>
          <p class="copies">
            <strong>{name}</strong>
            <CopyButton name={`Copy ${name.toLowerCase()}`} text={async () => text} />
          </p>
          <Code text={text} label={name} />
        </section>
      ))}
      <p>
        The <a href="docs">documentation</a> has a form for each operation.
      </p>
    </div>
  )
}
