import type { TSchema } from '@sinclair/typebox'
import type { Cites } from '../../../schemas/cites.js'
import { exampleOf, isFile } from '../../../schemas/common.js'
import { isSuccess } from '../session.js'
import type { Check } from './check.js'

const OPTIONAL: Cites = ['S1.4', 'S1.5', 'S1.6']

export const uploadSignature: readonly Check[] = [
  {
    cites: ['S1.2', 'S1.3', 'S1.7', ...OPTIONAL],
    needs: 'writes',
    run: async (on) => {
      const texts = Object.entries<TSchema>(on.contract.form?.properties ?? {}).filter(([, schema]) => !isFile(schema))
      const alone = await on.send()
      const whole = await on.send({
        form: Object.fromEntries(texts.map(([name, schema]) => [name, exampleOf(schema)])),
      })
      if (isSuccess(alone) || isSuccess(whole)) on.leaves('a signature image: the sample file')
      if (isSuccess(alone)) on.claim(true, { cites: ['S1.2', 'S1.3'] })
      // An image that is taken together with the optional fields is refused for lack of them.
      on.expect(alone, { cites: isSuccess(whole) ? OPTIONAL : ['S1.2', 'S1.3'], call: 'A call with only a PNG image' })
      on.expect(whole, { cites: OPTIONAL, call: 'A call with source, uuid and type' })
    },
  },
]
