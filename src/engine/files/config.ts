import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import { closedObject, headerWord, oneOf } from '../contract/fields.js'
import type { OptionTraits } from '../contract/keywords.js'
import { SANDBOX_NAME } from '../contract/sandbox-name.js'

const HOST =
  '(\\[[0-9A-Fa-f:.]+\\]|[^/?#@:\\[\\]\\s]+)(:(\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d\\d|655[0-2]\\d|6553[0-5]))?'
export const BASE_URL = `^[Hh][Tt][Tt][Pp][Ss]?://${HOST}(/[^?#\\s]*)?$`
const SMTP_URL = `^smtps?://([^/?#\\s]*@)?${HOST}/?(\\?[^#\\s]*)?$`

const path = (placeholder: 'FILE' | 'FOLDER' | 'PATH', description: string, traits: OptionTraits = {}) =>
  Type.String({ minLength: 1, description, 'x-option': { placeholder, isPath: true, ...traits } })

/** The source of flags, environment variables, keys of the config file, options of the JavaScript API, and help. */
const options = {
  port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    default: 4010,
    'x-option': { placeholder: 'PORT' },
    description: 'Port to listen on; 0 picks a free one.',
  }),
  host: Type.String({
    pattern: '^[\\w.:%[\\]-]+$',
    'x-allowed': 'a host name or an IP address, without scheme and port',
    default: '127.0.0.1',
    'x-option': { placeholder: 'HOST' },
    description: 'Address to listen on. If it is not a loopback address, the admin API needs --admin-token.',
  }),
  tlsCert: Type.Optional(path('FILE', 'Certificate (PEM) to serve https with; needs --tls-key.')),
  tlsKey: Type.Optional(path('FILE', 'Private key (PEM) of the certificate.')),
  config: Type.Optional(
    Type.String({
      minLength: 1,
      'x-option': { placeholder: 'FILE' },
      description:
        'Config file. Default: countersign.config.yaml, .yml or .json in the working directory, if it exists.',
    }),
  ),
  fixtures: Type.Optional(
    path('PATH', 'Fixtures file or folder, instead of the default ones. Default: fixtures beside the config file.', {
      live: true,
    }),
  ),
  scenarios: Type.Optional(
    path(
      'FOLDER',
      'Folder of your scenario files, in addition to the shipped ones. Default: scenarios beside the config file or, without one, in the working directory.',
      { live: true },
    ),
  ),
  scenario: Type.Array(Type.String({ minLength: 1 }), {
    default: [],
    'x-option': { live: true, placeholder: 'NAME' },
    description: 'Scenario or outcome to switch on; repeatable.',
  }),
  seed: Type.String({
    default: '1',
    'x-option': { placeholder: 'TEXT' },
    description: 'Seed for ids, random draws and delays.',
  }),
  clock: Type.String({
    default: 'real',
    format: 'clock',
    'x-allowed':
      "'real', or an ISO 8601 time from 1970 on with Z or an offset, such as 2026-01-15T09:30:00Z, or a date",
    'x-option': { placeholder: 'TIME' },
    description: "'real', or an ISO 8601 time to freeze the clock at.",
  }),
  persist: Type.Optional(path('FILE', 'File to store changes to the root sandbox in, as fixtures.')),
  smtp: Type.Optional(
    Type.String({
      pattern: SMTP_URL,
      'x-option': { placeholder: 'URL', secret: 'credentials' },
      description: 'SMTP server to send mails to, as smtp://host:port.',
      'x-allowed': 'a URL such as smtp://127.0.0.1:1025',
    }),
  ),
  auth: oneOf(['known', 'any'], {
    default: 'known',
    'x-option': { live: true, placeholder: 'known|any' },
    description: 'Accepted tokens: those in the fixtures, or any.',
  }),
  strict: Type.Boolean({
    default: false,
    'x-option': { live: true },
    description: 'Also reject requests that the API would accept despite violations, such as suspicious values.',
  }),
  requireSandbox: Type.Boolean({
    default: false,
    'x-option': { live: true },
    description: 'Block calls that name no sandbox, so that no test forgets its sandbox.',
  }),
  bodyLimit: Type.Integer({
    minimum: 1,
    maximum: 2 ** 31 - 1,
    default: 50 * 1024 * 1024,
    'x-option': { placeholder: 'BYTES' },
    description: 'Largest request body, in bytes.',
  }),
  journalSize: Type.Integer({
    minimum: 1,
    maximum: 20_000,
    default: 1_000,
    'x-option': { placeholder: 'N' },
    description: 'Exchanges kept in each journal.',
  }),
  adminToken: Type.Optional(
    headerWord({
      'x-option': { placeholder: 'TOKEN', secret: 'whole-value' },
      description: 'Token required for calls of the admin API (Authorization: Bearer).',
    }),
  ),
  publicUrl: Type.Optional(
    Type.String({
      pattern: BASE_URL,
      'x-option': { live: true, placeholder: 'URL', secret: 'credentials' },
      description: 'Base URL for links in answers, mails and pages, if clients reach the server through a proxy.',
      'x-allowed': 'a URL such as https://app.example.test/mock, without user, query or fragment',
    }),
  ),
  logRequests: Type.Optional(
    Type.Boolean({
      'x-option': { live: true },
      description: 'Print a line for each exchange, with its violations. By default on for start, and off otherwise.',
    }),
  ),
  watch: Type.Boolean({
    default: true,
    description:
      'Apply edits to config, scenarios and fixtures while running (--no-watch turns this off; `exec` never does).',
  }),
} as const satisfies Readonly<Record<string, TSchema>>

export type EngineOptions = Static<TObject<typeof options>>

export const defaultsInProcess = { logRequests: false, watch: false } as const

type Properties = Readonly<Record<string, TSchema>>

export function optionTable<T extends Properties>(toolOptions: T): typeof options & T {
  const { logRequests, watch, ...others } = options
  return { ...others, ...toolOptions, logRequests, watch }
}

const active = Type.Array(Type.String({ minLength: 1 }), {
  description: 'Scenarios and outcomes that are on; editing this list switches them in the running server.',
})

export function configSchema(allOptions: Properties, interpretations: TObject, extraKeys: Properties): TObject {
  const { config: _, ...others } = Type.Partial(closedObject(allOptions)).properties
  const optional = Object.entries(extraKeys).map(([name, schema]) => [name, Type.Optional(schema)])
  return Type.Object(
    {
      $schema: Type.Optional(Type.String()),
      version: Type.Optional(Type.Literal(1)),
      ...others,
      scenario: Type.Optional(Type.Union([options.scenario, Type.String({ minLength: 1 })])),
      seed: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
      active: Type.Optional(active),
      sandboxes: Type.Optional(
        Type.Record(Type.String({ pattern: SANDBOX_NAME.source }), closedObject({ active }), {
          additionalProperties: false,
          description: 'By sandbox name: a list `active`, which replaces the top-level one in that sandbox.',
          'x-allowed':
            "for each sandbox name (1 to 64 letters, digits, dots, hyphens and underscores), an object with 'active'",
        }),
      ),
      interpretations: Type.Optional(
        Type.Partial(interpretations, {
          additionalProperties: false,
          description: 'Other interpretations of the API document where it is silent.',
          'x-allowed': "an object of interpretations (see 'npx countersign list interpretations')",
        }),
      ),
      ...Object.fromEntries(optional),
    },
    { title: 'countersign config', additionalProperties: false },
  )
}
