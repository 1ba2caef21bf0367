import type { Cite } from '../../schemas/cites.js'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import type { Asked, Mutant, Told } from './mutating-provider.js'

const JSON_HEADERS = { 'content-type': 'application/json' }
const TOKEN = 'token-admin'

const success = ({ status }: Told) => status >= 200 && status < 300

/** Changes the body of successes. */
const inSuccess = (change: (body: Told['body'], asked: Asked) => void) => (told: Told, asked: Asked) => {
  if (success(told)) change(told.body, asked)
}

/** Gives one status in the place of another. */
const instead = (from: number, to: number, body?: unknown) => (told: Told) => {
  if (told.status !== from) return
  told.status = to
  if (body !== undefined) told.body = body
}

/** Answers some calls by itself. */
const answering =
  (when: (asked: Asked) => boolean, status: number, body: unknown) =>
  (asked: Asked): Told | undefined =>
    when(asked) ? { status, headers: { ...JSON_HEADERS }, body: structuredClone(body) } : undefined

const ERROR = { error: { code: 400, message: 'Refused.' } }
const MESSAGE = { status: 'success', message: 'Done.' }
const VERIFIED = {
  status: 'verified',
  message: 'Fine.',
  document: {
    code: 'DOC-1',
    user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31',
    verified_at: '2026-01-15T09:30:00.000Z',
  },
}
const MEMBER = {
  status: 'success',
  message: 'Done.',
  data: { id: 101, first_name: 'A', last_name: 'B', role: 'Member' },
}

const each = <T>(values: readonly T[], mutant: (value: T) => Mutant): Mutant[] => values.map(mutant)
const ids = (contracts as readonly Contract[]).map(({ id }) => id)
const hasToken = ({ headers }: Asked) => headers.authorization !== undefined || headers['user-token'] !== undefined
const withUser = (asked: Asked) => {
  delete asked.headers['user-token']
  asked.headers.authorization = `Bearer ${TOKEN}`
}
const isKnown = ({ headers }: Asked) =>
  /token-(?:admin|member)/.test(`${headers.authorization}${headers['user-token']}`)

const SHOWN_BY_WRITES = 'Only a call that is carried out shows it.'
const ISOLATED_BY_WRITES = 'Only a call that is complete but for this shows it.'

/** Who may call. */
const authentication: Mutant[] = [
  ...each(ids, (operation) => ({
    name: `${operation} takes calls without a token`,
    cites: ['SA.4', 'SA.1'],
    operation,
    ask: (asked) => {
      if (!hasToken(asked)) withUser(asked)
    },
  })),
  ...each(ids, (operation) => ({
    name: `${operation} takes any token`,
    cites: ['SA.4', 'SA.1'],
    operation,
    ask: (asked) => {
      if (hasToken(asked) && !isKnown(asked)) withUser(asked)
    },
  })),
  ...each(ids, (operation) => ({
    name: `${operation} answers 403 for 401`,
    cites: ['SA.4'],
    operation,
    tell: instead(401, 403),
  })),
  ...each(['verifyDocument', 'listCreditHistories', 'addOrganizationMember'], (operation) => ({
    name: `${operation} answers 500 for a wrong token`,
    cites: ['SA.4'],
    operation,
    tell: instead(401, 500),
  })),
  {
    name: 'the search does not know the header user-token',
    cites: ['SA.3'],
    operation: 'searchProtectedAttachments',
    ask: (asked) => {
      delete asked.headers['user-token']
    },
  },
  {
    name: 'the search takes any user-token',
    cites: ['SA.4'],
    operation: 'searchProtectedAttachments',
    ask: (asked) => {
      if (asked.headers['user-token'] !== undefined) withUser(asked)
    },
  },
  {
    name: 'an update needs no permission',
    cites: ['SA.5', 'SE.2'],
    operation: 'updateSubOrganizationMember',
    writes: ISOLATED_BY_WRITES,
    ask: (asked) => {
      if (asked.headers.authorization === 'Bearer token-member') withUser(asked)
    },
  },
  {
    name: 'a missing permission is 401',
    cites: ['SE.2'],
    operation: 'updateSubOrganizationMember',
    writes: 'A token that is refused may be a wrong one.',
    tell: (told, { headers }) => {
      if (told.status === 403 && headers.authorization !== undefined) told.status = 400
    },
  },
]

const takesUserType = [
  'uploadSignature',
  'updateSubOrganizationMember',
  'verifyDocument',
  'searchProtectedAttachments',
  'addOrganizationMember',
]
const masked = (operation: string) =>
  operation === 'uploadSignature' || operation === 'updateSubOrganizationMember' ? { writes: ISOLATED_BY_WRITES } : {}
const SU = (operation: string): Cite => (operation === 'searchProtectedAttachments' ? 'SU.2' : 'SU.1')

const userType: Mutant[] = [
  ...each(takesUserType, (operation) => ({
    name: `${operation} needs no user_type`,
    cites: [SU(operation)],
    operation,
    ...masked(operation),
    ask: ({ query }) => {
      if (!query.has('user_type')) query.set('user_type', 'ENTERPRISE_API')
    },
  })),
  ...each(takesUserType, (operation) => ({
    name: `${operation} takes any user_type`,
    cites: [SU(operation)],
    operation,
    ...masked(operation),
    ask: ({ query }) => {
      if (query.has('user_type')) query.set('user_type', 'ENTERPRISE_API')
    },
  })),
  ...each(takesUserType, (operation) => ({
    name: `${operation} breaks without a user_type`,
    cites: [SU(operation)],
    operation,
    ask: answering((asked) => hasToken(asked) && isKnown(asked) && !asked.query.has('user_type'), 500, ERROR),
  })),
  {
    name: 'the histories need a user_type',
    cites: ['SU.3'],
    operation: 'listCreditHistories',
    ask: answering(({ query }) => !query.has('user_type'), 400, {
      error: { code: 400, message: 'user_type, page, per_page, organization_uuid' },
    }),
  },
  {
    name: 'the histories do not filter by user_type',
    cites: ['SU.3'],
    operation: 'listCreditHistories',
    ask: ({ query }) => query.delete('user_type'),
  },
  {
    name: 'the signing link needs a user_type',
    cites: ['SU.4'],
    operation: 'createSigningLink',
    writes: SHOWN_BY_WRITES,
    ask: answering((asked) => isKnown(asked) && !asked.query.has('user_type'), 400, ERROR),
  },
]

/** Required parameters and fields, with a value that is put in their place. */
const REQUIRED: readonly [operation: string, part: 'query' | 'form', name: string, value: string, cite: Cite][] = [
  ['listCreditHistories', 'query', 'page', '1', 'S5.2'],
  ['listCreditHistories', 'query', 'per_page', '10', 'S5.2'],
  ['listCreditHistories', 'query', 'organization_uuid', '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20', 'S5.3'],
  ['searchProtectedAttachments', 'query', 'keyword[sample_1]', 'contract', 'S4.2'],
  ['createSigningLink', 'query', 'email', 'grace@example.test', 'S7.3'],
  ['verifyDocument', 'form', 'user_uuid', '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31', 'S3.5'],
  ['addOrganizationMember', 'form', 'data[0][email]', 'someone@example.test', 'S6.3'],
  ['addOrganizationMember', 'form', 'data[0][first_name]', 'Some', 'S6.3'],
  ['addOrganizationMember', 'form', 'data[0][last_name]', 'One', 'S6.3'],
  ['addOrganizationMember', 'form', 'data[0][role]', 'Member', 'S6.4'],
  ['addOrganizationMember', 'form', 'data[0][organization_id]', '1', 'S6.5'],
]

const isMissing = (asked: Asked, part: 'query' | 'form', name: string) =>
  isKnown(asked) && (part === 'query' ? !asked.query.has(name) : asked.form?.has(name) !== true)

const required: Mutant[] = [
  ...each(REQUIRED, ([operation, part, name, value, cite]) => ({
    name: `${operation} needs no ${name}`,
    cites: [cite],
    operation,
    ask: (asked) => {
      if (isMissing(asked, part, name)) (part === 'query' ? asked.query : asked.form)?.set(name, value)
    },
  })),
  ...each(REQUIRED, ([operation, part, name, , cite]) => ({
    name: `${operation} answers ${operation === 'createSigningLink' ? 'with success' : '422'} without ${name}`,
    cites: [cite, 'SE.1'],
    operation,
    ask: answering(
      (asked) => isMissing(asked, part, name),
      operation === 'createSigningLink' ? 200 : 422,
      operation === 'createSigningLink'
        ? { link: 'https://x.test/1' }
        : { error: { code: 422, message: `${name} is missing` } },
    ),
  })),
  ...each(
    REQUIRED.filter(([operation]) => operation !== 'createSigningLink'),
    ([operation, part, name, , cite]) => ({
      name: `${operation} breaks without ${name}`,
      cites: [cite, 'SE.1'],
      operation,
      ask: answering((asked) => isMissing(asked, part, name), 500, {
        error: { code: 500, message: `${name} is missing` },
      }),
    }),
  ),
  {
    name: 'an upload without a file is taken',
    cites: ['S1.2', 'SE.5'],
    operation: 'uploadSignature',
    ask: answering((asked) => isMissing(asked, 'form', 'file'), 200, { ...MESSAGE, signature_id: 'x' }),
  },
  {
    name: 'an upload without a file is 400',
    cites: ['SE.5'],
    operation: 'uploadSignature',
    ask: answering((asked) => isMissing(asked, 'form', 'file'), 400, ERROR),
  },
  {
    name: 'a verification needs neither code nor file',
    cites: ['S3.4'],
    operation: 'verifyDocument',
    ask: ({ form }) => {
      if (form !== null && !form.has('code') && !form.has('file')) form.set('code', 'DOC-2025-0001')
    },
  },
  {
    name: 'neither code nor file is 404',
    cites: ['S3.4', 'SE.1'],
    operation: 'verifyDocument',
    ask: answering(
      (asked) => isKnown(asked) && asked.form?.has('code') !== true && asked.form?.has('file') !== true,
      404,
      ERROR,
    ),
  },
  {
    name: 'an address that is none is invited',
    cites: ['S6.3'],
    operation: 'addOrganizationMember',
    ask: answering((asked) => asked.form?.get('data[0][email]') === 'countersign', 200, MESSAGE),
  },
  {
    name: 'a user_uuid that is none is verified',
    cites: ['S3.5'],
    operation: 'verifyDocument',
    ask: answering((asked) => isKnown(asked) && asked.form?.get('user_uuid') === 'countersign', 200, VERIFIED),
  },
  {
    name: 'a role that is none is taken',
    cites: ['S2.5'],
    operation: 'updateSubOrganizationMember',
    writes: ISOLATED_BY_WRITES,
    ask: (asked) => {
      const role = asked.form?.get('role')
      if (role !== null && role !== undefined && role !== 'Admin' && role !== 'Member') asked.form?.delete('role')
    },
  },
  {
    name: 'a project that is no UUID gets a link',
    cites: ['S7.6', 'S7.2'],
    operation: 'createSigningLink',
    ask: answering((asked) => isKnown(asked) && asked.params.uuid === 'countersign', 200, { link: 'https://x.test/1' }),
  },
  {
    name: 'a fourth keyword is taken',
    cites: ['S4.4'],
    operation: 'searchProtectedAttachments',
    ask: ({ query }) => query.delete('keyword[sample_4]'),
  },
]

/** What others do as well, and only a second look shows. */
const subtle: Mutant[] = [
  {
    name: 'any organization has the same history',
    cites: ['S5.3'],
    operation: 'listCreditHistories',
    ask: ({ query }) => {
      if (query.has('organization_uuid')) query.set('organization_uuid', '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20')
    },
  },
  {
    name: 'a role that is not sent falls back to Member',
    cites: ['S2.6'],
    operation: 'updateSubOrganizationMember',
    writes: 'Only a call that is carried out shows it.',
    ask: ({ form }) => {
      if (form !== null && !form.has('role')) form.set('role', 'Member')
    },
  },
  ...each(['keyword[sample_2]', 'keyword[sample_3]'], (name) => ({
    name: `${name} is ignored`,
    cites: ['S4.3', 'S4.5'],
    operation: 'searchProtectedAttachments',
    ask: ({ query }) => query.delete(name),
  })),
  {
    name: 'text is taken for a signature',
    cites: ['S1.2', 'SE.5'],
    operation: 'uploadSignature',
    ask: answering((asked) => isKnown(asked) && typeof asked.form?.get('file') === 'string', 200, {
      ...MESSAGE,
      signature_id: 'x',
    }),
  },
]

/** What is not there, and what is there already. */
const outcomes: Mutant[] = [
  {
    name: 'an unknown sub-organization is looked through',
    cites: ['S2.2', 'SE.3'],
    operation: 'updateSubOrganizationMember',
    ask: answering(
      (asked) => isKnown(asked) && !/^(?:6d9b|e0c4)/.test(asked.params.subOrganizationUuid ?? ''),
      200,
      MEMBER,
    ),
  },
  {
    name: 'an unknown document is 409',
    cites: ['SE.3'],
    operation: 'verifyDocument',
    tell: instead(404, 409, ERROR),
  },
  {
    name: 'an unknown code is verified',
    cites: ['SE.3', 'S3.3'],
    operation: 'verifyDocument',
    ask: ({ form }) => {
      if (form?.has('code') && !String(form.get('code')).startsWith('DOC')) form.set('code', 'DOC-2025-0001')
    },
  },
  {
    name: 'every PDF is verified',
    cites: ['SE.3', 'S3.2'],
    operation: 'verifyDocument',
    ask: ({ form }) => {
      if (form?.has('file') && !form.has('code')) {
        form.delete('file')
        form.set('code', 'DOC-2025-0001')
      }
    },
  },
  {
    name: 'a damaged PDF breaks it',
    cites: ['SE.5'],
    operation: 'verifyDocument',
    tell: instead(422, 500),
  },
  {
    name: 'a search without a match is an empty list',
    cites: ['SE.3'],
    operation: 'searchProtectedAttachments',
    tell: instead(404, 200, { message: 'Nothing.', data: [] }),
  },
  {
    name: 'a search finds nothing, whatever is asked',
    cites: ['SE.3', 'S4.5'],
    operation: 'searchProtectedAttachments',
    tell: (told) => {
      if (success(told) || told.status === 404)
        Object.assign(told, { status: 200, body: { message: 'Done.', data: [] } })
    },
  },
  {
    name: 'a search finds everything',
    cites: ['S4.5', 'SE.3'],
    operation: 'searchProtectedAttachments',
    ask: ({ query }) => {
      if (query.has('keyword[sample_1]')) query.set('keyword[sample_1]', 'contract')
      query.delete('keyword[sample_2]')
    },
  },
  {
    name: 'a member who is there already is 422',
    cites: ['SE.4'],
    operation: 'addOrganizationMember',
    writes: SHOWN_BY_WRITES,
    tell: instead(409, 422, ERROR),
  },
  {
    name: 'a link without an e-mail is refused with a text',
    cites: ['S7.6'],
    operation: 'createSigningLink',
    tell: instead(400, 400, 'No.'),
  },
  {
    name: 'a link is refused with a list',
    cites: ['S7.6'],
    operation: 'createSigningLink',
    tell: instead(400, 400, ['No.']),
  },
]

const history = (change: (body: Told['body'], asked: Asked) => void) => ({
  operation: 'listCreditHistories',
  tell: inSuccess(change),
})
const eachRecord = (change: (record: Told['body'], at: number) => void) =>
  history(({ histories }) => (Array.isArray(histories) ? histories.forEach(change) : undefined))

/** What the errors of the credit histories look like. */
const errors: Mutant[] = [
  {
    name: 'an error of the histories has another code',
    cites: ['SE.7'],
    operation: 'listCreditHistories',
    tell: (told) => {
      if (!success(told)) told.body.error.code = 1234
    },
  },
  {
    name: 'an error of the histories is flat',
    cites: ['SE.7'],
    operation: 'listCreditHistories',
    tell: (told) => {
      if (!success(told)) told.body = { status: 'error', message: told.body.error.message }
    },
  },
  {
    name: 'an error of the histories is a text',
    cites: ['SE.7'],
    operation: 'listCreditHistories',
    tell: (told) => {
      if (!success(told)) told.body = { error: told.body.error.message }
    },
  },
  ...each(['page', 'per_page', 'organization_uuid'], (name) => ({
    name: `an error of the histories does not name ${name}`,
    cites: ['SE.8'],
    operation: 'listCreditHistories',
    tell: (told, asked) => {
      if (told.status === 400 && isMissing(asked, 'query', name)) told.body.error.message = 'Something is missing.'
    },
  })),
]

/** How answers are written. */
const written: Mutant[] = [
  ...each(['verifyDocument', 'searchProtectedAttachments', 'listCreditHistories'], (operation) => ({
    name: `${operation} answers with text/plain`,
    cites: ['S0.3'],
    operation,
    tell: (told) => {
      told.headers['content-type'] = 'text/plain'
    },
  })),
  ...each(ids, (operation) => ({
    name: `${operation} answers errors in HTML`,
    cites: ['S0.3'],
    operation,
    tell: (told) => {
      if (success(told)) return
      told.headers['content-type'] = 'text/html'
      told.text = '<h1>No.</h1>'
    },
  })),
  {
    name: 'a verification answers with JSON that is cut off',
    cites: ['S0.3'],
    operation: 'verifyDocument',
    tell: (told) => {
      if (success(told)) told.text = JSON.stringify(told.body).slice(0, -1)
    },
  },
  {
    name: 'errors of the search have no body',
    cites: ['S0.3'],
    operation: 'searchProtectedAttachments',
    tell: (told) => {
      if (!success(told)) told.text = ''
    },
  },
]

const TIMES: readonly [name: string, write: (time: string) => unknown][] = [
  ['with an offset', (time) => time.replace(/\.\d+Z$/, '+02:00')],
  ['without a zone', (time) => time.replace('Z', '')],
  ['as a date', (time) => time.slice(0, 10)],
  ['as seconds', (time) => Math.floor(Date.parse(time) / 1000)],
  ['as a sentence', (time) => new Date(time).toUTCString()],
]

const times: Mutant[] = TIMES.flatMap(([name, write]): Mutant[] => [
  {
    name: `records are dated ${name}`,
    cites: ['S0.6', 'S5.8'],
    ...eachRecord((one) => {
      one.created_at = write(one.created_at)
    }),
  },
  {
    name: `verifications are dated ${name}`,
    cites: ['S0.6', 'S3.6'],
    operation: 'verifyDocument',
    tell: inSuccess(({ document }) => {
      document.verified_at = write(document.verified_at)
    }),
  },
])

const verification: Mutant[] = [
  ...each(['code', 'file'], (name) => ({
    name: `a ${name} alone is refused`,
    cites: ['S3.4', name === 'code' ? 'S3.3' : 'S3.2'],
    operation: 'verifyDocument',
    ask: answering(
      (asked) => isKnown(asked) && asked.form?.has(name) === true && !asked.form.has(name === 'code' ? 'file' : 'code'),
      400,
      ERROR,
    ),
  })),
  {
    name: 'code and file together are refused',
    cites: ['S3.4'],
    operation: 'verifyDocument',
    ask: answering((asked) => isKnown(asked) && asked.form?.has('code') === true && asked.form.has('file'), 400, ERROR),
  },
]

const attachments: Mutant[] = [
  ...each(['keyword[sample_2]', 'keyword[sample_3]'], (name) => ({
    name: `${name} is refused`,
    cites: ['S4.3'],
    operation: 'searchProtectedAttachments',
    ask: answering((asked) => asked.query.has(name), 400, ERROR),
  })),
  {
    name: 'attachments are secured, and not protected',
    cites: ['S4.8'],
    operation: 'searchProtectedAttachments',
    tell: inSuccess(({ data }) =>
      data.forEach((one: Told['body']) => {
        one.status = 'secured'
      }),
    ),
  },
  {
    name: 'the status of attachments is in capitals',
    cites: ['S4.8'],
    operation: 'searchProtectedAttachments',
    tell: inSuccess(({ data }) =>
      data.forEach((one: Told['body']) => {
        one.status = one.status.toUpperCase()
      }),
    ),
  },
  {
    name: 'one attachment has a path that is null',
    cites: ['S4.7'],
    operation: 'searchProtectedAttachments',
    tell: inSuccess(({ data }) => {
      data.at(-1).path = null
    }),
  },
]

const histories: Mutant[] = [
  {
    name: 'the page told is always the first',
    cites: ['S5.6'],
    ...history((body) => {
      body.page = 1
    }),
  },
  {
    name: 'the page told begins at 0',
    cites: ['S5.6'],
    ...history((body) => {
      body.page -= 1
    }),
  },
  {
    name: 'the size told is always 10',
    cites: ['S5.6'],
    ...history((body) => {
      body.per_page = 10
    }),
  },
  {
    name: 'pages begin at 0',
    cites: ['S5.2', 'S5.7'],
    operation: 'listCreditHistories',
    ask: ({ query }) => {
      if (Number(query.get('page')) > 0) query.set('page', String(Number(query.get('page')) + 1))
    },
    tell: inSuccess((body) => {
      body.page -= 1
    }),
  },
  {
    name: 'the size is ignored',
    cites: ['S5.2'],
    operation: 'listCreditHistories',
    ask: ({ query }) => {
      if (query.has('per_page')) query.set('per_page', '20')
    },
    tell: inSuccess((body, { query }) => {
      body.per_page = Number(query.get('per_page'))
    }),
  },
  {
    name: 'the page is ignored',
    cites: ['S5.2'],
    operation: 'listCreditHistories',
    tell: inSuccess((body) => body),
    ask: ({ query }) => {
      if (query.has('page')) query.set('page', '1')
    },
  },
  {
    name: 'the total is that of the page',
    cites: ['S5.7'],
    ...history((body) => {
      body.total = body.histories.length
    }),
  },
  {
    name: 'the total is one too few',
    cites: ['S5.7'],
    ...history((body) => {
      body.total -= 1
    }),
  },
  {
    name: 'the total is what is left',
    cites: ['S5.7'],
    ...history((body) => {
      body.total -= (body.page - 1) * body.per_page
    }),
  },
  {
    name: 'a record of each page stands twice',
    cites: ['S5.9', 'S5.2'],
    ...history(({ histories }) => {
      if (histories.length > 1) histories[0] = histories[1]
    }),
  },
  {
    name: 'records of another organization are told',
    cites: ['S5.3'],
    ...eachRecord((one) => {
      one.organization_uuid = '9b3d5f70-8c21-4e64-a7f9-0d1e2c3b4a58'
    }),
  },
  {
    name: 'one record is of another organization',
    cites: ['S5.3'],
    ...eachRecord((one, at) => {
      if (at === 0) one.organization_uuid = '9b3d5f70-8c21-4e64-a7f9-0d1e2c3b4a58'
    }),
  },
  {
    name: 'records have numbers',
    cites: ['S5.9'],
    ...eachRecord((one, at) => {
      one.id = String(at + 1)
    }),
  },
  {
    name: 'all records have one identifier',
    cites: ['S5.9'],
    ...eachRecord((one) => {
      one.id = 'f4081c26-ae53-4fd7-809b-71d2436e5fa8'
    }),
  },
  {
    name: 'currencies are signs',
    cites: ['S5.9'],
    ...eachRecord((one) => {
      one.currency = '€'
    }),
  },
  {
    name: 'currencies are words',
    cites: ['S5.9'],
    ...eachRecord((one) => {
      one.currency = 'Euro'
    }),
  },
  {
    name: 'purchases are bought',
    cites: ['S5.10'],
    ...eachRecord((one) => {
      if (one.type === 'purchase') one.type = 'buy'
    }),
  },
  {
    name: 'kinds are in capitals',
    cites: ['S5.10'],
    ...eachRecord((one) => {
      one.type = one.type.toUpperCase()
    }),
  },
  {
    name: 'one record has a note that is null',
    cites: ['S5.8'],
    ...eachRecord((one, at) => {
      if (at === 2) one.details.note = null
    }),
  },
  {
    name: 'sorting by received_by is refused',
    cites: ['S5.4'],
    operation: 'listCreditHistories',
    ask: answering(({ query }) => query.get('sort') === 'received_by', 400, {
      error: { code: 400, message: 'sort, page, per_page, organization_uuid' },
    }),
  },
  ...each(['asc', 'desc'], (order) => ({
    name: `order=${order} is refused`,
    cites: ['S5.5'],
    operation: 'listCreditHistories',
    ask: answering(({ query }) => query.get('order') === order, 400, {
      error: { code: 400, message: 'order, page, per_page, organization_uuid' },
    }),
  })),
  {
    name: 'the order is ignored',
    cites: ['S5.5'],
    operation: 'listCreditHistories',
    ask: ({ query }) => {
      if (/^(?:asc|desc)$/.test(query.get('order') ?? '')) query.delete('order')
    },
  },
  {
    name: 'the order is turned around',
    cites: ['S5.5'],
    operation: 'listCreditHistories',
    ask: ({ query }) => {
      const order = query.get('order')
      if (order === 'asc' || order === 'desc') query.set('order', order === 'asc' ? 'desc' : 'asc')
    },
  },
]

const update = (mutant: Omit<Mutant, 'operation' | 'writes'>): Mutant => ({
  ...mutant,
  operation: 'updateSubOrganizationMember',
  writes: SHOWN_BY_WRITES,
})

const members: Mutant[] = [
  update({
    name: 'an update tells no last name unless it was sent',
    cites: ['S2.6'],
    tell: inSuccess(({ data }, { form }) => {
      if (form?.has('last_name') !== true) data.last_name = ''
    }),
  }),
  update({
    name: 'an update erases a last name that was not sent',
    cites: ['S2.6'],
    ask: ({ form }) => {
      if (form?.has('first_name') && !form.has('last_name')) form.set('last_name', 'Erased')
    },
  }),
  update({
    name: 'an update makes members of admins',
    cites: ['S2.6'],
    ask: ({ form }) => {
      if (form !== null && !form.has('role')) form.set('role', 'Admin')
    },
    tell: inSuccess(({ data }, { form }) => {
      if (form?.has('first_name') !== true && form?.get('role') === 'Admin') data.role = 'Member'
    }),
  }),
  update({
    name: 'an update changes no first name',
    cites: ['S2.4'],
    ask: ({ form }) => form?.delete('first_name'),
  }),
  update({
    name: 'an update changes no last name',
    cites: ['S2.4'],
    ask: ({ form }) => form?.delete('last_name'),
  }),
  update({
    name: 'an update changes no role',
    cites: ['S2.5', 'S2.7'],
    ask: ({ form }) => form?.delete('role'),
  }),
  update({
    name: 'nobody becomes an admin',
    cites: ['S2.7'],
    ask: answering((asked) => asked.form?.get('role') === 'Admin', 403, ERROR),
  }),
  update({
    name: 'roles are told in small letters',
    cites: ['S2.5'],
    tell: inSuccess(({ data }) => {
      data.role = data.role.toLowerCase()
    }),
  }),
  update({
    name: 'an update tells what was sent, and keeps nothing',
    cites: ['S2.6'],
    ask: (asked) => {
      const sent = Object.fromEntries(asked.form ?? [])
      for (const name of Object.keys(sent)) asked.form?.delete(name)
      Object.assign(asked, { sent })
    },
    tell: inSuccess(({ data }, asked) => void Object.assign(data, (asked as Asked & { sent: object }).sent)),
  }),
]

const writes = (operation: string, mutant: Omit<Mutant, 'operation' | 'writes'>): Mutant => ({
  ...mutant,
  operation,
  writes: SHOWN_BY_WRITES,
})

const others: Mutant[] = [
  writes('uploadSignature', { name: 'a PNG is refused', cites: ['S1.2', 'S1.3'], tell: instead(200, 415, ERROR) }),
  ...each(['source', 'uuid', 'type'], (name) =>
    writes('uploadSignature', {
      name: `${name} is refused`,
      cites: [name === 'source' ? 'S1.4' : name === 'uuid' ? 'S1.5' : 'S1.6'],
      ask: answering((asked) => asked.form?.has(name) === true, 422, ERROR),
    }),
  ),
  ...each(['source', 'type'], (name) =>
    writes('uploadSignature', {
      name: `${name} is required`,
      cites: [name === 'source' ? 'S1.4' : 'S1.6'],
      ask: answering(
        (asked) => isKnown(asked) && asked.form?.has('file') === true && !asked.form.has(name),
        422,
        ERROR,
      ),
    }),
  ),
  writes('addOrganizationMember', {
    name: 'an admin cannot be invited',
    cites: ['S6.4'],
    ask: answering((asked) => asked.form?.get('data[0][role]') === 'Admin', 400, ERROR),
  }),
  writes('addOrganizationMember', {
    name: 'the list begins at 1',
    cites: ['S6.2'],
    ask: answering((asked) => isKnown(asked) && asked.form?.has('data[0][email]') === true, 400, ERROR),
  }),
  writes('createSigningLink', { name: 'a link is created with 201', cites: ['S7.4'], tell: instead(200, 201) }),
  writes('createSigningLink', {
    name: 'a link is a text',
    cites: ['S7.4'],
    tell: (told) => {
      if (success(told)) told.body = told.body.link
    },
  }),
  writes('createSigningLink', {
    name: 'a link is in a list',
    cites: ['S7.4'],
    tell: (told) => {
      if (success(told)) told.body = [told.body]
    },
  }),
  writes('createSigningLink', {
    name: 'all recipients get one link',
    cites: ['S7.5'],
    tell: inSuccess((body) => {
      body.link = 'https://sign.example.test/project'
    }),
  }),
]

/** What breaks the document, but for what the product's own mutants do. */
export const mutants: readonly Mutant[] = [
  ...authentication,
  ...userType,
  ...required,
  ...subtle,
  ...outcomes,
  ...errors,
  ...written,
  ...times,
  ...verification,
  ...attachments,
  ...histories,
  ...members,
  ...others,
]
