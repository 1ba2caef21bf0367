import type { Page } from '../../engine/api.js'
import { type Html, html } from '../../engine/html.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import { newestSignature } from '../image.js'
import { projects, type SigningLink, signingLinks } from '../records.js'

/** The page that a signing link leads to. GET changes nothing. */
export const signingPage: Page = {
  path: '/sign/:id',
  title: 'Sign',
  recordNoun: 'signing link',
  actions: ['sign'],
  show: (sandbox, id, linkPrefix) => {
    const link = sandbox.state.collection(signingLinks).get(id)
    return link && body(sandbox, link, linkPrefix)
  },
  act: (sandbox, id) => {
    const links = sandbox.state.collection(signingLinks)
    const link = links.get(id)
    if (link !== undefined && link.signed_at === undefined) links.put({ ...link, signed_at: sandbox.clock.iso() })
  },
}

function body(sandbox: Sandbox, link: SigningLink, linkPrefix: string): Html {
  const project = sandbox.state.collection(projects).get(link.project_uuid)
  const name = project?.name ?? link.project_uuid
  return html`<h1>Sign <bdi>${name}</bdi></h1>
<dl>
<dt>Project</dt><dd><bdi>${name}</bdi></dd>
<dt>Recipient</dt><dd><bdi>${link.email}</bdi></dd>
</dl>
${signatureOf(sandbox, link.created_by ?? project?.user_uuid)}
${
  link.signed_at === undefined
    ? html`<div class="actions"><form method="post" action="${linkPrefix}${link.id}/sign"><button class="go">Sign</button></form></div>`
    : html`<p class="done" role="status">Signed at <time datetime="${link.signed_at}">${link.signed_at}</time>.</p>`
}`
}

function signatureOf(sandbox: Sandbox, userUuid = ''): Html {
  const image = newestSignature(sandbox.state, userUuid)?.image
  return image === undefined ? html`` : html`<img src="${image}" alt="Signature of the sender">`
}
