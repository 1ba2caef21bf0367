import { fillTemplate, type Template } from '../../engine/contract/template.js'
import { linksIn } from '../../engine/judge/deviations.js'
import type { OperationChecks, SwitchComparison } from '../../tools/verify/definition.js'
import type { Shapes } from '../../tools/verify/interpretations/shapes.js'
import type { TestedOperation } from '../../tools/verify/tested-operation.js'

async function createLink(operation: TestedOperation, recipient?: string, attempt = 0) {
  const answer = await operation.send(recipient === undefined ? {} : { query: { email: recipient } }, { attempt })
  const { query, params } = answer.call
  if (answer.ok) operation.session.leftovers.add(`a signing link for ${query.email} in project ${params.uuid}`)
  return answer
}

async function compareLinks(operation: TestedOperation): Promise<void> {
  const { data, shapes } = operation.session
  const usual = await createLink(operation)
  const other = await createLink(operation, data.address('other'))
  const again = await createLink(operation, undefined, 1)
  const [first, second] = [linksIn(usual.body), linksIn(other.body)]
  if (![usual, other, again].every(({ ok }) => ok) || first.length === 0)
    return operation.reportUnchecked('A request failed, or its answer contains no link.')
  // The body may also contain URLs that are the same for every link.
  const uniqueLink = first.find((link) => !second.includes(link))
  const linksDiffer = uniqueLink !== undefined && first.length === second.length
  operation.assert(linksDiffer, 'body', 'Two recipients must get equally many links, at least one of them different.')
  const { params, query } = usual.call
  const values = { link: uniqueLink ?? '', project_uuid: params.uuid ?? '', email: query.email ?? '' }
  operation.observe('signingLinkBody', usual, uniqueLink && linkTemplate(usual.body, values, shapes))
  const message = 'The same project and e-mail get a different link each time.'
  if (`${first}` !== `${linksIn(again.body)}`) operation.report('differs', ['I-11'], { where: 'body', message })
}

type LinkValues = Readonly<Record<'link' | 'project_uuid' | 'email', string>>

function linkTemplate(body: unknown, values: LinkValues, shapes: Shapes): Template {
  const knownValues = Object.entries(values).filter(([, value]) => value !== '')
  return shapes.templateOf(body, (text) => {
    const [name, value] = knownValues.find(([, value]) => text.includes(value)) ?? []
    if (name !== undefined && value !== undefined) {
      // Capitals and digits around the value may be personal data.
      const textsAround = text.split(value)
      return textsAround.every((part) => /^[\sa-z:,.]*$/.test(part)) ? textsAround.join(`{${name}}`) : `{${name}}`
    }
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? '{created_at}' : shapes.maskText(text)
  })
}

export const signingLinkBody: SwitchComparison = {
  expectedValue(_, { signingLinkBody }, shapes) {
    const values = { link: 'https://x.example.test/1', project_uuid: 'the-project', email: 'someone@example.test' }
    const body = fillTemplate(signingLinkBody as Template, { ...values, created_at: '2026-01-15T09:30:00.000Z' })
    return linkTemplate(body, values, shapes)
  },
}

export const createSigningLink: OperationChecks = {
  checks: [
    {
      cites: ['S7.4', 'SU.4', 'S7.1'],
      needs: 'writes',
      run: async (operation) => operation.expect(await createLink(operation), "A call without 'user_type'"),
    },
    { cites: ['S7.5'], needs: 'writes', run: compareLinks },
  ],
}
