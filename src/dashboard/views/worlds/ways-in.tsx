import { CopyButton } from '../../parts/copy-button.js'
import { firstToken, urlOfWorld } from '../../world.js'

/** What a client sends to be in a world, each to copy: its base URL, or at the root's a header or a token. */
export function WaysIn({ name }: { readonly name: string | undefined }) {
  return (
    <div class="buttons">
      <CopyButton name="Copy URL" text={async () => urlOfWorld(name)} />
      {name !== undefined && <CopyButton name="Copy header" text={async () => `X-Mock-Sandbox: ${name}`} />}
      <CopyButton name="Copy token" text={() => tokenOf(name)} />
    </div>
  )
}

/** The token of the world's first user, with the world at its end. */
async function tokenOf(name: string | undefined): Promise<string> {
  return `${await firstToken(name)}${name === undefined ? '' : `~${name}`}`
}
