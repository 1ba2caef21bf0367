import { fill } from '../../engine/contract/template.js'
import { linksIn } from '../../engine/judge/deviations.js'
import { apiWordOr, templateOf } from '../../tools/verify/interpretations/shapes.js'
import { check, type OperationKnowledge, type TestedOperation } from '../../tools/verify/tested-operation.js'
import type { Switches } from '../switches.js'

async function createLink(on: TestedOperation, recipient?: string, again = 0) {
  const answer = await on.send(recipient === undefined ? {} : { query: { email: recipient } }, { again })
  const { query, params } = answer.call
  if (answer.ok) on.session.left.add(`a signing link for ${query.email} in project ${params.uuid}`)
  return answer
}

async function linkWithoutUserType(on: TestedOperation): Promise<void> {
  on.expect(await createLink(on), "A complete call, without 'user_type'", { needsData: true })
}

async function compareLinks(on: TestedOperation): Promise<void> {
  const usual = await createLink(on)
  const other = await createLink(on, on.session.data.address('other'))
  const again = await createLink(on, undefined, 1)
  const [first, second] = [linksIn(usual.body), linksIn(other.body)]
  if (![usual, other, again].every(({ ok }) => ok) || first.length === 0) return on.unchecked('No link was created.')
  // Metadata may hold URLs that all links have.
  const own = first.find((link) => !second.includes(link))
  const areOwn = own !== undefined && first.length === second.length
  on.claim(areOwn, 'body', 'Two recipients get the same link.')
  const { params, query } = usual.call
  const known = { link: own ?? '', project_uuid: params.uuid ?? '', email: query.email ?? '' }
  on.sees('signingLinkBody', usual, own && linkTemplate(usual.body, known))
  const message = 'The same project and e-mail get a different link each time.'
  if (`${first}` !== `${linksIn(again.body)}`) on.add('differs', ['I-11'], { where: 'body', message })
}

/** The value of `signingLinkBody` that gives such a body. */
function linkTemplate(body: unknown, known: Readonly<Record<'link' | 'project_uuid' | 'email', string>>) {
  const places = Object.entries(known).filter(([, value]) => value !== '')
  return templateOf(body, (text) => {
    const [name, value] = places.find(([, value]) => text.includes(value)) ?? []
    if (name !== undefined && value !== undefined) {
      const around = text.split(value)
      return around.every((part) => /^[\sa-z:,.]*$/.test(part)) ? around.join(`{${name}}`) : `{${name}}`
    }
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? '{created_at}' : apiWordOr(text)
  })
}

function bodyInForce({ signingLinkBody }: Switches) {
  const known = { link: 'https://x.example.test/1', project_uuid: 'the-project', email: 'someone@example.test' }
  return linkTemplate(fill(signingLinkBody, { ...known, created_at: '2026-01-15T09:30:00.000Z' }), known)
}

export const createSigningLink: OperationKnowledge = {
  checks: [check(['S7.4', 'SU.4', 'S7.1'], linkWithoutUserType, 'writes'), check(['S7.5'], compareLinks, 'writes')],
  inForce: { signingLinkBody: bodyInForce },
}
