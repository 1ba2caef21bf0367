import { fileURLToPath } from 'node:url'
import { type Static, Type } from '@sinclair/typebox'
import type { Api, Page } from '../../src/engine/api.js'
import { cited } from '../../src/engine/contract/cites.js'
import { bodyNotShown, contractDefiner, shown } from '../../src/engine/contract/contract.js'
import type { Conventions } from '../../src/engine/contract/conventions.js'
import { closedObject } from '../../src/engine/contract/fields.js'
import { defineCollection } from '../../src/engine/files/collections.js'
import { html } from '../../src/engine/html.js'
import type { Operation, OperationHandler } from '../../src/engine/operation.js'

const ErrorBody = Type.Object({ problem: Type.String() }, { $id: 'Problem' })

const conventions = {
  baseUrl: 'SB.1',
  form: 'SB.2',
  json: 'SB.2',
  unreadableBody: 'I-1',
  encodings: 'I-1',
  bodyLimit: 'I-1',
  needsToken: 'SB.3',
  invalidToken: 'SB.3',
  wrongTokenHeader: 'SB.3',
  forbidden: 'SB.3',
  unexpectedError: 'I-1',
  successStatus: 'SB.2',
  documentedErrorBody: 'SB.4',
  assumedErrorBody: 'SB.4',
  unknownNames: 'I-1',
  repeatedNames: 'I-1',
  emailAddresses: 'I-1',
  emptyFields: 'I-1',
  times: 'I-1',
  tokenHeaders: [
    {
      name: 'x-shelf-key',
      displayName: 'X-Shelf-Key',
      cites: ['SB.3'],
      security: { name: 'shelfKey', description: 'The key of a reader.' },
    },
  ],
  permissions: {},
  envelope: { schema: ErrorBody, body: (_, problem) => ({ problem }) },
} as const satisfies Conventions

const defineContract = contractDefiner(conventions)
const shared = {
  tokenHeaders: ['x-shelf-key'],
  section: 1,
  cites: ['SB.1'],
  params: Type.Object({}),
  invalidStatus: 400,
} as const
const errors = {
  400: bodyNotShown.error(['SB.4'], 'The input is invalid.', 'The input is invalid.'),
  401: bodyNotShown.error(['SB.3'], 'The key is missing or unknown.', 'Send a key.'),
}
const wholeNumber = () => cited(['SB.5'], Type.Integer({ minimum: 1, examples: [1] }), { minimum: ['SB.5'] })
const title = () => cited(['SB.6'], Type.String({ minLength: 1, examples: ['Emma'] }), { minLength: ['SB.6'] })

const listBooks = defineContract({
  ...shared,
  id: 'listBooks',
  summary: 'List the books',
  description: 'Lists the books on the shelf.',
  method: 'GET',
  path: '/books',
  query: Type.Object({ sheet: wholeNumber(), count: wholeNumber() }),
  paging: { page: 'sheet', perPage: 'count', total: 'all' },
  responses: {
    200: shown.answer(
      ['SB.5'],
      'A page of books.',
      cited(
        ['SB.5'],
        Type.Object({
          sheet: cited(['SB.5'], Type.Integer()),
          count: cited(['SB.5'], Type.Integer()),
          all: cited(['SB.5'], Type.Integer()),
          books: cited(['SB.5'], Type.Array(Type.Object({ title: cited(['SB.5'], Type.String()) }))),
        }),
      ),
      { sheet: 1, count: 1, all: 1, books: [{ title: 'Emma' }] },
    ),
    ...errors,
  },
})

const shelveBook = defineContract({
  ...shared,
  id: 'shelveBook',
  summary: 'Shelve a book',
  description: 'Puts a book on the shelf.',
  method: 'POST',
  path: '/books',
  query: Type.Object({}),
  form: Type.Object({ title: title() }),
  effectCites: ['SB.6'],
  responses: {
    200: shown.answer(['SB.6'], 'The book.', cited(['SB.6'], Type.Object({ title: cited(['SB.6'], Type.String()) })), {
      title: 'Emma',
    }),
    ...errors,
  },
})

const Book = closedObject({ isbn: Type.String(), title: Type.String() })
const Reader = closedObject({ name: Type.String(), key: Type.String() })
const books = defineCollection('books', { schema: Book, key: ['isbn'] })
const readers = defineCollection('readers', {
  schema: Reader,
  key: ['name'],
  indexes: { token: ({ key }: Static<typeof Reader>) => key },
})

const handlers = {
  listBooks: {
    handle: ({ query: { sheet, count }, sandbox }, reply) => {
      const all = sandbox.state.collection(books).all()
      const pageOfBooks = all.slice((sheet - 1) * count, sheet * count)
      return reply(200, { sheet, count, all: all.length, books: pageOfBooks.map((one) => ({ title: one.title })) })
    },
  } satisfies OperationHandler<typeof listBooks>,
  shelveBook: {
    handle: ({ form, sandbox }, reply) => {
      const all = sandbox.state.collection(books)
      return reply(200, { title: all.put({ isbn: sandbox.uuid('book', all), title: form.title }).title })
    },
  } satisfies OperationHandler<typeof shelveBook>,
}

const bookPage: Page = {
  path: '/shelf/:id',
  title: 'Book',
  recordNoun: 'book',
  actions: [],
  show: (sandbox, isbn) => {
    const book = sandbox.state.collection(books).get(isbn)
    return book && html`<h1>${book.title}</h1>`
  },
  act: () => {},
}

const folder = fileURLToPath(new URL('.', import.meta.url))

export const bookshelf: Api = {
  name: 'Bookshelf API',
  operations: [
    { contract: listBooks, ...handlers.listBooks },
    { contract: shelveBook, ...handlers.shelveBook },
  ] as unknown as readonly Operation[],
  sampleOutcome: 'shelveBook:400',
  statements: ['1', '2', '3', '4', '5', '6'].map((one) => ({ id: `SB.${one}` as const, text: `Sentence ${one}.` })),
  interpretations: [{ id: 'I-1', about: 'gaps', decision: 'Our choice.', reason: 'The document is silent.' }],
  conventions,
  resources: { Problem: ErrorBody },
  collections: [readers, books],
  users: {
    collection: readers,
    token: (reader) => (reader as Static<typeof Reader>).key,
    permissions: () => [],
    row: (reader) => ({ token: (reader as Static<typeof Reader>).key }),
    caller: (reader) => ({ name: (reader as Static<typeof Reader>).name }),
  },
  switches: {},
  config: {},
  pages: [bookPage],
  admin: [],
  fixturesPath: `${folder}fixtures.json`,
  starterFolder: folder,
  sampleFiles: {},
  scenarios: () => ({}),
  bulk: async () => [],
  forTools: {},
}
