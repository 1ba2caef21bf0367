import { call } from '../../api.js'
import { CopyButton } from '../../parts/copy-button.js'
import { adminOf } from '../../world.js'

/** What a client sends to be in a world, each to copy: its base URL, or at the root's a header or a token. */
export function WaysIn({ name }: { readonly name: string | undefined }) {
  return (
    <div class="buttons">
      <CopyButton name="Copy URL" text={async () => urlOf(name)} />
      {name !== undefined && <CopyButton name="Copy header" text={async () => `X-Mock-Sandbox: ${name}`} />}
      <CopyButton name="Copy token" text={() => tokenOf(name)} />
    </div>
  )
}

function urlOf(name: string | undefined): string {
  return new URL(adminOf(name), location.href).href.replace(/\/__admin\/$/, '')
}

/** The token of the world's first user, with the world at its end. */
async function tokenOf(name: string | undefined): Promise<string> {
  const { users } = await call<{ users: readonly { token: string }[] }>(`${adminOf(name)}state?collection=users`)
  return `${users[0]?.token ?? ''}${name === undefined ? '' : `~${name}`}`
}
