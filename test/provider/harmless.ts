import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Asked, Mutant, Told } from './mutating-provider.js'

const success = ({ status }: Told) => status >= 200 && status < 300
const inSuccess = (change: (body: Told['body'], asked: Asked) => void) => (told: Told, asked: Asked) => {
  if (success(told)) change(told.body, asked)
}
const instead = (from: number, to: number) => (told: Told) => {
  if (told.status === from) told.status = to
}
const known = ({ headers }: Asked) => /token-(?:admin|member)/.test(`${headers.authorization}${headers['user-token']}`)
const refuse = (status: number): Told => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: { error: { code: status, message: 'Refused.' } },
})

/** Every object of a value, from the inside out. */
function eachObject(value: Told['body'], change: (object: Told['body']) => Told['body']): Told['body'] {
  if (Array.isArray(value)) return value.map((one) => eachObject(one, change))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, one]) => [key, eachObject(one, change)])
  return change(Object.fromEntries(entries))
}

/** What a provider may do otherwise without breaking the document. */
export const harmless: readonly Mutant[] = [
  {
    name: 'all objects have further fields',
    cites: ['S0.5'],
    tell: (told) => {
      told.body = eachObject(told.body, (one) => ({ ...one, _links: { self: '/x' }, x_version: 3, note_2: null }))
    },
  },
  {
    name: 'keys stand in another order',
    cites: ['S0.3'],
    tell: (told) => {
      told.body = eachObject(told.body, (one) => Object.fromEntries(Object.entries(one).reverse()))
    },
  },
  {
    name: 'JSON is indented, with white space around it',
    cites: ['S0.3'],
    tell: (told) => {
      told.text = `\n${JSON.stringify(told.body, null, 4)}\n\n`
    },
  },
  {
    name: 'letters beyond ASCII are escaped',
    cites: ['S0.3'],
    tell: (told) => {
      told.text = JSON.stringify(told.body).replace(
        /[\u0080-\uffff]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    },
  },
  ...[
    'application/json',
    'application/json;charset=UTF-8',
    'Application/JSON; charset=utf-8',
    'application/vnd.api+json',
  ].map(
    (type): Mutant => ({
      name: `the content type is ${type}`,
      cites: ['S0.3'],
      tell: (told) => {
        told.headers['content-type'] = type
      },
    }),
  ),
  {
    name: 'errors are problems (RFC 9457)',
    cites: ['I-02'],
    tell: (told, { contract }) => {
      if (success(told) || contract.id === 'listCreditHistories') return
      told.headers['content-type'] = 'application/problem+json'
      told.body = { type: 'about:blank', title: 'Refused', status: told.status, detail: 'So it is.' }
    },
  },
  {
    name: 'errors are flat',
    cites: ['I-02'],
    tell: (told, { contract }) => {
      if (!success(told) && contract.id !== 'listCreditHistories') told.body = { status: 'error', message: 'So it is.' }
    },
  },
  {
    name: 'errors are lists in an object',
    cites: ['I-02'],
    tell: (told, { contract }) => {
      if (!success(told) && contract.id !== 'listCreditHistories')
        told.body = { errors: [{ field: 'x', message: 'No.' }] }
    },
  },
  {
    name: 'messages are in another language',
    cites: ['I-22'],
    tell: (told) => {
      if (success(told) && 'message' in told.body) told.body.message = '¡Todo bien, señora!'
    },
  },
  {
    name: 'successes say OK',
    cites: ['I-22'],
    tell: inSuccess((body, { contract }) => {
      if (contract.id !== 'verifyDocument' && 'status' in body) body.status = 'OK'
    }),
  },
  {
    name: 'successes are 201 where that is open',
    cites: ['I-01'],
    tell: (told, { contract }) => {
      if (contract.id !== 'createSigningLink') instead(200, 201)(told)
    },
  },
  {
    name: 'times have no fractions',
    cites: ['I-22'],
    tell: (told) => {
      told.text = JSON.stringify(told.body).replaceAll(/(T\d\d:\d\d:\d\d)\.\d+Z/g, '$1Z')
    },
  },
  {
    name: 'times have microseconds',
    cites: ['I-22'],
    tell: (told) => {
      told.text = JSON.stringify(told.body).replaceAll(/(T\d\d:\d\d:\d\d\.\d+)Z/g, '$1000Z')
    },
  },
  {
    name: 'UTC is written +00:00',
    cites: ['S0.6'],
    tell: (told) => {
      told.text = JSON.stringify(told.body).replaceAll(/(T\d\d:\d\d:\d\d\.\d+)Z/g, '$1+00:00')
    },
  },
  {
    name: 'UUIDs are in capitals',
    cites: ['S5.9'],
    tell: (told) => {
      told.text = JSON.stringify(told.body).replaceAll(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, (one) => one.toUpperCase())
    },
  },
  {
    name: 'JSON begins with a byte order mark',
    cites: ['S0.3'],
    tell: (told) => {
      told.text = `\uFEFF${JSON.stringify(told.body)}`
    },
  },
  {
    name: 'messages name parameters in words',
    cites: ['SE.8'],
    operation: 'listCreditHistories',
    tell: (told) => {
      const { error } = told.body
      if (typeof error?.message === 'string') error.message = error.message.replaceAll('_', ' ')
    },
  },
  {
    name: 'answers are compressed',
    cites: ['S0.3'],
    tell: (told) => {
      told.headers['content-encoding'] = 'gzip'
      told.text = gzipSync(JSON.stringify(told.body)) as unknown as string
    },
  },
  {
    name: 'answers are slow',
    cites: ['S0.3'],
    ask: () => sleep(5),
  },
  {
    name: 'connections are closed',
    cites: ['S0.3'],
    tell: (told) => {
      told.headers.connection = 'close'
    },
  },
  {
    name: 'a missing user_type is 400 everywhere',
    cites: ['I-04'],
    ask: (asked) => {
      const needs = asked.contract.query.required?.includes('user_type')
      return needs && known(asked) && asked.query.get('user_type') !== 'ENTERPRISE_API' ? refuse(400) : undefined
    },
  },
  {
    name: 'a missing user_type is 422 everywhere',
    cites: ['I-04'],
    ask: (asked) => {
      const needs = asked.contract.query.required?.includes('user_type')
      return needs && known(asked) && asked.query.get('user_type') !== 'ENTERPRISE_API' ? refuse(422) : undefined
    },
  },
  {
    name: 'a missing user_type is 403 everywhere',
    cites: ['I-04'],
    ask: (asked) => {
      const needs = asked.contract.query.required?.includes('user_type')
      return needs && known(asked) && asked.query.get('user_type') !== 'ENTERPRISE_API' ? refuse(403) : undefined
    },
  },
  {
    name: 'a member is looked for before a call is checked',
    cites: ['I-03'],
    operation: 'updateSubOrganizationMember',
    ask: (asked) => (asked.params.subOrgMemberId === '101' ? undefined : refuse(404)),
  },
  {
    name: 'a document that is unknown cannot be verified',
    cites: ['I-08'],
    operation: 'verifyDocument',
    tell: instead(404, 422),
  },
  {
    name: 'a document that cannot be verified is not found',
    cites: ['I-08'],
    operation: 'verifyDocument',
    tell: instead(422, 404),
  },
  {
    name: "anyone's document is verified",
    cites: ['I-08'],
    operation: 'verifyDocument',
    ask: ({ form }) => {
      if (form?.get('code') === 'DOC-2025-0001' && /^[0-9a-f-]{36}$/.test(String(form.get('user_uuid'))))
        form.set('user_uuid', '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31')
    },
    tell: inSuccess(({ document }, { form }) => {
      document.user_uuid = form?.get('user_uuid')
    }),
  },
  {
    name: 'attachments come in another order',
    cites: ['S4.5'],
    operation: 'searchProtectedAttachments',
    tell: inSuccess(({ data }) => data.reverse()),
  },
  {
    name: 'some attachments are archived',
    cites: ['S4.8'],
    operation: 'searchProtectedAttachments',
    tell: inSuccess(({ data }) => {
      data.at(-1).status = data.length > 1 ? 'archived' : 'protected'
    }),
  },
  {
    name: 'nothing of what the examples name is there',
    cites: ['SE.3'],
    tell: (told, { contract }) => {
      if (contract.id === 'listCreditHistories')
        return inSuccess((body) => Object.assign(body, { total: 0, histories: [] }))(told, {} as Asked)
      if (success(told) && contract.id !== 'uploadSignature') Object.assign(told, refuse(404))
    },
  },
  {
    name: 'an unknown sort and an unknown order are ignored',
    cites: ['I-06'],
    operation: 'listCreditHistories',
    ask: ({ query }) => {
      if (query.get('sort') === 'countersign') query.delete('sort')
      if (query.get('order') === 'countersign') query.delete('order')
    },
  },
  {
    name: 'only received_by can be sorted by',
    cites: ['I-06'],
    operation: 'listCreditHistories',
    ask: ({ query }) =>
      query.has('sort') && query.get('sort') !== 'received_by'
        ? { ...refuse(400), body: { error: { code: 400, message: 'page per_page organization_uuid' } } }
        : undefined,
  },
  {
    name: 'an unknown organization is 404',
    cites: ['I-06'],
    operation: 'listCreditHistories',
    ask: (asked) => {
      const organization = asked.query.get('organization_uuid')
      const complete = known(asked) && asked.query.has('page') && asked.query.has('per_page') && organization !== null
      return complete && !organization.startsWith('1c9e') ? refuse(404) : undefined
    },
  },
  {
    name: 'an organization has no history',
    cites: ['S5.6'],
    operation: 'listCreditHistories',
    tell: inSuccess((body) => {
      Object.assign(body, { total: 0, histories: [] })
    }),
  },
  {
    name: 'pages hold two at the most',
    cites: ['S0.5'],
    operation: 'listCreditHistories',
    ask: ({ query }) => {
      if (Number(query.get('per_page')) > 2) query.set('per_page', '2')
    },
  },
  {
    name: 'kinds are spelt otherwise, and currencies in small letters',
    cites: ['S5.11'],
    operation: 'listCreditHistories',
    tell: inSuccess(({ histories }) =>
      histories.forEach((one: Told['body']) => {
        one.type = one.type.replace('free_credit', 'FREE')
        one.currency = one.currency.toLowerCase()
      }),
    ),
  },
  {
    name: 'someone invited is not invited again',
    cites: ['I-07'],
    operation: 'addOrganizationMember',
    ask: invitedOnce(),
  },
  {
    name: 'a signature has no UUID',
    cites: ['I-09'],
    operation: 'uploadSignature',
    tell: inSuccess((body) => {
      body.signature_id = 'SIG-000017'
    }),
  },
  {
    name: 'links have other fields, and are new each time',
    cites: ['I-11'],
    operation: 'createSigningLink',
    tell: inSuccess((body) => {
      const { link } = body
      for (const key of Object.keys(body)) delete body[key]
      Object.assign(body, { data: { url: `${link}?once=${Math.random()}`, expires_in: 3_600 }, ok: true })
    }),
  },
  {
    name: 'links are refused with 422',
    cites: ['I-11'],
    operation: 'createSigningLink',
    tell: (told) => {
      if (told.status === 400 || told.status === 404) told.status = 422
    },
  },
  {
    name: 'an update without a field is refused',
    cites: ['I-10'],
    operation: 'updateSubOrganizationMember',
    ask: (asked) =>
      known(asked) &&
      asked.params.subOrgMemberId === '101' &&
      [...(asked.form ?? [])].length === 0 &&
      asked.query.get('user_type') === 'ENTERPRISE_API' &&
      asked.headers.authorization === 'Bearer token-admin'
        ? refuse(400)
        : undefined,
  },
]

function invitedOnce() {
  const invited = new Set<unknown>()
  return (asked: Asked) => {
    const email = asked.form?.get('data[0][email]')
    const complete = [...(asked.form ?? [])].length === 5 && asked.query.get('user_type') === 'ENTERPRISE_API'
    if (!known(asked) || !complete || asked.form?.get('data[0][organization_id]') !== '1') return undefined
    const again = invited.has(email)
    invited.add(email)
    return again ? refuse(409) : undefined
  }
}
