import { tokenHeaderCites } from '../../../schemas/conventions.js'
import type { Contract, TokenHeader } from '../../engine/contract/contract.js'
import { withCites } from './describe.js'
import type { Json } from './versions.js'

const schemes: { readonly [H in TokenHeader]: { readonly name: string; readonly scheme: Json } } = {
  authorization: {
    name: 'bearer',
    scheme: {
      type: 'http',
      scheme: 'bearer',
      description:
        'The user token, as `Authorization: Bearer <USER_TOKEN>`. countersign prints the tokens it knows when it starts.',
    },
  },
  'user-token': {
    name: 'userToken',
    scheme: {
      type: 'apiKey',
      in: 'header',
      name: 'user-token',
      description: 'The user token in a separate header; `Authorization` wins if both are sent (I-15).',
    },
  },
}

export function securitySchemes(contracts: readonly Contract[]): Json {
  const taken = new Set(contracts.flatMap(({ tokenHeaders }) => tokenHeaders))
  const described = [...taken].map((header) => {
    const { name, scheme } = schemes[header]
    const cites = tokenHeaderCites[header]
    return [name, { ...scheme, description: withCites(String(scheme.description), cites), 'x-cites': cites }]
  })
  return Object.fromEntries(described)
}

export function securityOf({ tokenHeaders }: Contract): Json[] {
  return tokenHeaders.map((header) => ({ [schemes[header].name]: [] }))
}
