import { linksIn } from '../../validation/deviations.js'
import type { Answer } from '../client.js'
import { isSuccess, type Operation } from '../session.js'
import type { Check } from './check.js'

/** Asks for a link, and notes that it stays; two recipients by `other`. */
export async function createLink(on: Operation, { other = false, again = 0 } = {}): Promise<Answer> {
  const answer = await on.send(other ? { query: { email: on.session.values.address('other') } } : {}, { again })
  const { query, params } = answer.call
  if (isSuccess(answer)) on.leaves(`a signing link for ${query.email} in project ${params.uuid}`)
  return answer
}

export const createSigningLink: readonly Check[] = [
  {
    cites: ['S7.4', 'SU.4', 'S7.1'],
    needs: 'writes',
    async run(on) {
      const answer = await createLink(on)
      const expected = { cites: this.cites, call: "A complete call, without 'user_type'", needsData: true }
      if (on.expect(answer, expected) && linksIn(answer.body).length > 0) on.claim(true, { cites: ['S7.4'] })
    },
  },
  {
    cites: ['S7.5'],
    needs: 'writes',
    async run(on) {
      const answers = [await createLink(on), await createLink(on, { other: true }), await createLink(on, { again: 1 })]
      const [first = [], second = [], again] = answers.map(({ body }) => linksIn(body))
      if (!answers.every(isSuccess) || first.length === 0) return on.unchecked(this.cites, 'No link was created.')
      // Metadata may hold URLs that all links have.
      const areOwn = first.some((link) => !second.includes(link)) && first.length === second.length
      on.claim(areOwn, { cites: this.cites, where: 'body', message: 'Two recipients get the same link.' })
      if (`${first}` === `${again}`) return
      const message = 'The same project and e-mail get a different link each time.'
      on.add('differs', { cites: ['I-11'], where: 'body', message })
    },
  },
]
