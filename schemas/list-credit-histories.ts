import { Type } from '@sinclair/typebox'
import { cited } from '../src/engine/contract/cites.js'
import { assumed, ifSwitch, reason, shown } from '../src/engine/contract/contract.js'
import { oneOf } from '../src/engine/contract/fields.js'
import {
  badToken,
  count,
  defineContract,
  jsonBody,
  optionalText,
  singleLine,
  USER_TYPE,
  unauthorized,
} from './conventions.js'
import { CreditHistory } from './resources.js'

/** The document shows only `received_by`; the others are from I-06. */
export const SORT_FIELDS = [
  'received_by',
  'id',
  'organization_uuid',
  'type',
  'amount',
  'currency',
  'created_at',
  'user_type',
] as const

/** `S…`: sentences of the document, in statements.ts; `I-…`: where it is silent, in interpretations.ts. */
export const listCreditHistories = defineContract({
  id: 'listCreditHistories',
  section: 5,
  summary: 'Get credit histories',
  description:
    'Reads the paginated history of credit purchases, allocations, returns and free credits of an organization.',
  cites: ['S5.1', 'S0.1', 'S0.4'],
  method: 'GET',
  path: '/api/v2/credits/histories',
  tokenHeaders: ['authorization'],
  params: Type.Object({}),
  query: Type.Object({
    page: cited(['S5.2'], count({ description: 'Page number.', examples: [1] })),
    per_page: cited(['S5.2'], count({ description: 'Results per page.', examples: [10] })),
    organization_uuid: cited(
      ['S5.3'],
      singleLine({
        description: 'Organization whose history is read.',
        'x-resembles': 'uuid',
        examples: ['1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'],
      }),
    ),
    user_type: optionalText(
      cited(
        ['SU.3'],
        Type.String({ description: 'Filter by user type.', 'x-resembles': [USER_TYPE], examples: [USER_TYPE] }),
      ),
    ),
    sort: optionalText(
      cited(['S5.4'], oneOf(SORT_FIELDS, { description: 'Field to sort by.', examples: ['received_by'] }), {
        enum: ['I-06#An unknown sort'],
      }),
    ),
    order: optionalText(
      cited(['S5.5'], oneOf(['asc', 'desc'], { description: 'Direction of the sort.', examples: ['desc'] }), {
        enum: ['S5.5'],
      }),
    ),
  }),
  paging: { page: 'page', perPage: 'per_page', total: 'total' },
  invalidStatus: 400,
  responses: {
    200: shown.answer(
      ['I-01'],
      'The requested page.',
      jsonBody(['S5.6'], {
        page: cited(['S5.6'], Type.Integer()),
        per_page: cited(['S5.6'], Type.Integer()),
        total: cited(['S5.6', 'S5.7'], Type.Integer({ description: 'Total number of records.' })),
        histories: cited(['S5.6'], Type.Array(CreditHistory)),
      }),
      {
        page: 1,
        per_page: 10,
        total: 1,
        histories: [
          {
            id: 'e7a1b2c3-d4e5-4f60-8a7b-9c0d1e2f3a4b',
            organization_uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20',
            type: 'purchase',
            amount: 250,
            currency: 'EUR',
            created_at: '2025-11-03T10:15:00.000Z',
            user_type: 'ENTERPRISE_API',
            details: { source: 'invoice', note: 'Quarterly purchase' },
          },
        ],
      },
    ),
    400: {
      ...shown.error(
        ['SE.1', 'SE.7', 'SE.8', 'I-06'],
        'A required parameter is missing, or a parameter is invalid (I-06).',
        "The query parameter 'page' is missing.",
      ),
      parameterNameCites: ['SE.8'],
    },
    401: { ...unauthorized, provenance: 'shown', cites: ['SA.4', 'SE.7'] },
  },
  switchedResponses: {
    400: ifSwitch(
      'unknownOrganization',
      400,
      shown.error(
        ['SE.1', 'I-06'],
        'Also sent if the organization is unknown (I-06).',
        'There is no such organization.',
      ),
    ),
    404: ifSwitch(
      'unknownOrganization',
      404,
      assumed.error(['I-06'], 'The organization is unknown (I-06).', 'Organization not found.'),
    ),
  },
  reasons: {
    200: [
      reason('a page of records', 'S5.6'),
      reason('an empty page past the end, and for an unknown organization', 'I-06'),
    ],
    400: [
      reason('a required parameter is missing', 'SE.1'),
      reason('a page that is no whole number; an unknown sort or order', 'I-06'),
    ],
    401: [badToken],
  },
})
