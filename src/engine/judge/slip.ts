import { isValid } from '../contract/check.js'
import type { Cites } from '../contract/cites.js'
import { alternativeFieldsOf, type Contract, changesRecord, fillPath } from '../contract/contract.js'
import { exampleOf, isFile } from '../contract/fields.js'
import { describeExpected, quote } from '../contract/wording.js'
import { shellQuote } from './curl.js'
import type { FileProblem } from './file-text.js'
import { hasKey, isUpload, isWrongKindOfId, type Parameter, type SentField } from './parameters.js'
import { type Violation, violationOf } from './violation.js'

interface SlipFacts extends SentField {
  readonly parameters: readonly Parameter[]
  readonly intendedValue?: string | undefined
  readonly isAlsoSent?: boolean | undefined
  readonly fileProblem?: FileProblem
}

/** A mistake in a request, often with the intended value. */
export interface Slip extends SlipFacts {
  readonly kind: Kind
  readonly where: string
  /** Undefined for a suspicious slip, which breaks no written rule. */
  readonly cites?: Cites | undefined
  readonly isRepairable: boolean
}

export function slipOf(kind: Kind, sent: SentField, parameters: readonly Parameter[], more: Partial<Slip> = {}): Slip {
  const { contract, part, name, value } = sent
  return { kind, contract, part, name, value, where: `${part}.${name}`, parameters, isRepairable: true, ...more }
}

export type Kind = keyof typeof MESSAGES

type MessageAndFix = readonly [message: string, fix: string, code?: string]

export function violationFor(slip: Slip): Violation {
  const { kind, where, part, cites, isRepairable, parameters } = slip
  const [message, fix, code = kind] = MESSAGES[kind](slip)
  const explainedFields = parameters.map((parameter) => `${parameter.part}.${parameter.name}`)
  const codeForPart = code.replace('*', part === 'form' ? 'field' : 'parameter')
  return violationOf({ code: codeForPart, message, where, fix, explainedFields, isRepairable }, cites)
}

const PARTS = { path: 'path variable', query: 'query parameter', form: 'form field' } as const

const describeUndocumented = ({ contract, part, name }: SlipFacts) =>
  `The ${PARTS[part]} ${quote(name)} is not documented for ${contract.id}`

const describeValue = ({ name, value }: SlipFacts, what: string) => `'${name}' is ${quote(value)}: ${what}.`

const PRINTED = 'that is what a program prints for an object'

const isPrintedObject = (value: unknown) => /^\[object |^<\w+ .*>$/.test(String(value))

const fileArgument = (slip: SlipFacts) => `-F '${parameterOf(slip).name}=@FILE'`

/** Message and fix by kind; `*` becomes `parameter` or `field` in the violation's code. */
const MESSAGES = {
  'unknown-*': (slip) => [`${describeUndocumented(slip)}.`, `Remove ${quote(slip.name)}.`],
  'misnamed-*': describeMisnamed,
  'nameless-file': (slip) => [
    `The field ${quote(slip.name)} must be named '${parameterOf(slip).name}' and be sent as a file, with a file name.`,
    `Send it as a file: ${fileArgument(slip)}.`,
    'misnamed-field',
  ],
  'file-problem': (slip) => {
    const { message, fix, code } = slip.fileProblem as FileProblem
    return [message, `${fix}${code === 'placeholder-value' ? describeRemoval(slip) : ''}`, code]
  },
  'misplaced-*': (slip) => {
    const { part, name, schema } = parameterOf(slip)
    const message = `${describeUndocumented(slip)}: '${name}' is a ${PARTS[part]}.`
    if (slip.isAlsoSent) return [message, `'${name}' is already sent as a ${PARTS[part]}: remove this one.`]
    const intendedValue = isValid(schema, slip.value) ? String(slip.value) : undefined
    const fix = describeFix({ ...slip, part, name, intendedValue })
    return [message, fix]
  },
  'too-many-*s': (slip) => {
    const { name, series } = parameterOf(slip)
    const last = series.at(-1)?.name
    return series.length === 1
      ? [`${describeUndocumented(slip)}: there is only '${name}'.`, `Send one entry per call, as '${name}'.`]
      : [
          `${describeUndocumented(slip)}: there are at most ${series.length}, up to '${last}'.`,
          `Send at most ${series.length}: '${series[0]?.name}' to '${last}'.`,
        ]
  },
  'unescaped-ampersand': (slip) => {
    const { name, value } = slip
    const owner = parameterOf(slip).name
    return [
      `${quote(name)} looks like the rest of the value of '${owner}', ${quote(value)}, cut by an '&' that is not escaped.`,
      `Escape it, as in ?${encodeURIComponent(owner)}=${encodeURIComponent(slip.intendedValue ?? '')}; or remove ${quote(name)} if it is another parameter.`,
    ]
  },
  'json-value': (slip) => [
    `'${slip.name}' is JSON, ${quote(slip.value)}: each of its values must be sent separately.`,
    describeSeparation(slip),
  ],
  'printed-dictionary': (slip) => [
    `'${slip.name}' is ${quote(slip.value)}, a printed dictionary: each of its values must be sent separately.`,
    describeSeparation(slip),
    'printed-value',
  ],
  'escaped-query': ({ part, name, value }) => {
    const [, separator] = (part === 'path' ? /^[^?%]*(&)/ : /^[^&]*?([?;])[^?&;=]+=/).exec(String(value)) ?? []
    if (separator !== undefined)
      return [
        `'${name}' contains other parameters, after '${separator}'.`,
        "Begin the query with the only '?' of the URL, and put '&' between its parameters.",
      ]
    return [
      part === 'path'
        ? `'${name}' contains the '?' of the query as %3F: path and query were escaped together.`
        : `${quote(name)} contains other parameters: the '&' that separates them was escaped as %26.`,
      'Escape each value of path and query, not the whole URL.',
    ]
  },
  'file-as-text': (slip) => [
    `${quote(slip.name)} is a file written as text, ${quote(String(slip.value).slice(0, 24))}: upload the file itself as '${parameterOf(slip).name}'.`,
    `Upload the file: ${fileArgument(slip)}.`,
  ],
  'placeholder-value': (slip) => [
    describeValue(slip, isPrintedObject(slip.value) ? PRINTED : 'a variable was probably unset or not replaced'),
    `Send the value of '${slip.name}'.${describeRemoval(slip)}`,
  ],
  'quoted-text': (slip) => [
    describeValue(slip, 'the quotes of JSON count as part of it'),
    `Send ${quote(slip.intendedValue)} without quotes.`,
  ],
  'printed-value': (slip) => [describeValue(slip, PRINTED), `Send the value of '${slip.name}' itself.`],
  'replaced-character': (slip) => [describeValue(slip, 'a character was replaced'), 'Send the text in UTF-8.'],
  'misread-text': (slip) => [
    describeValue(slip, `${quote(slip.intendedValue)} in UTF-8 was read in another encoding`),
    `Send ${quote(slip.intendedValue)} in UTF-8.`,
  ],
  'escaped-text': (slip) => {
    const text = slip.intendedValue === undefined ? 'the text' : quote(slip.intendedValue)
    return [
      describeValue(slip, `${text} was escaped before it was sent, and the server does not unescape it`),
      `Send ${text} without escaping it.`,
    ]
  },
  'invisible-character': (slip) => [describeValue(slip, 'it has an invisible character'), 'Remove that character.'],
  'padded-value': (slip) => [describeValue(slip, 'it begins or ends with white space'), 'Remove that white space.'],
  'unencoded-plus': ({ name, intendedValue }) => [
    `The '+' in '${name}' is not encoded: in a query, it means a space.`,
    `Encode it as %2B, for example by encodeURIComponent: ?${intendedValue}`,
  ],
  'not-a-uuid': (slip) => [describeValue(slip, 'it is not a UUID'), describeFix(slip)],
  'misspelled-value': (slip) => [describeValue(slip, `it is written ${slip.intendedValue}`), describeFix(slip)],
  'unexpected-body': ({ contract }) => [
    `${contract.id} takes no request body, but one was sent.`,
    'Send the parameters only in the path and query.',
  ],
  'no-fields': ({ contract, value }) => [
    `The request has none of the fields of this operation, so nothing changes${value === undefined ? ': the request body may have been lost' : ''}.`,
    `Send at least one of ${Object.keys(contract.form?.properties ?? {}).join(', ')}.`,
  ],
  'method-override': ({ contract, name, value }) => [
    `'${name}' requests the method ${quote(value)}, but only the method of the HTTP request counts: ${contract.method}, for ${contract.id}.`,
    `Remove '${name}', and send the request with the intended method.`,
  ],
  'misspelled-preference': ({ value, intendedValue }) => [
    `${quote(value)} is not a preference of the mock, and has no effect.`,
    `Write ${intendedValue}.`,
  ],
  'missing-parameter': (slip) => {
    const { part, name, value } = slip
    const expected = describeExpected(parameterOf(slip).schema, value)
    const state = value === undefined ? 'missing' : `${describeBlank(value)}, which counts as missing`
    return [`The ${PARTS[part]} '${name}' is ${state}: send ${expected}.`, describeFix(slip)]
  },
  'missing-alternatives': ({ parameters }) => {
    const names = parameters.map(({ name }) => name)
    const text = parameters.find(({ schema }) => !isFile(schema))?.name ?? ''
    return [
      `Neither '${names.join("' nor '")}' was sent: send at least one of these form fields.`,
      `Send one of them in the form: -F '${text}=${placeholderFor(text)}'`,
      'missing-parameter',
    ]
  },
  'empty-parameter': (slip) => {
    const advice = omitAdvice(slip.contract)
    return [`${describeInvalid(slip, describeBlank(slip.value))}: ${advice.toLowerCase()}.`, `${advice}.`]
  },
  'repeated-parameter': ({ part, name, value }) => [
    `The ${PARTS[part]} '${name}' was sent ${(value as readonly unknown[]).length} times (${quote(value)}).`,
    `Send '${name}' once.`,
  ],
  'invalid-parameter': (slip) => {
    const fix = isUpload(slip.value) ? 'Send text without a file name: in FormData, a string.' : describeFix(slip)
    return [`${describeInvalid(slip, quote(slip.value))}.`, fix]
  },
} satisfies Readonly<Record<string, (slip: SlipFacts) => MessageAndFix>>

function describeMisnamed(slip: SlipFacts): MessageAndFix {
  const { name, value, parameters } = slip
  const names = parameters.map((parameter) => parameter.name)
  const [first = ''] = names
  const list = names.map((item) => `'${item}'`).join(' and ')
  const message = isUpload(value)
    ? `A file was sent as ${quote(name)}: use ${list}.`
    : `${describeUndocumented(slip)}: use ${list}.`
  if (slip.isAlsoSent) return [message, `'${first}' is already sent: remove ${quote(name)}.`]
  if (names.length > 1) return [message, `Send ${list}, one for each value.`]
  const { series } = parameterOf(slip)
  if (series.length > 1 && String(value).includes(','))
    return [message, `Send each value by itself: '${series[0]?.name}', '${series[1]?.name}' and so on.`]
  if (series.some((one) => one.name.endsWith(`[${value}]`)))
    return [message, 'Send the values of the dictionary, not its keys.']
  if (hasKey(name, parameterOf(slip))) return [message, `Send '${first}' without brackets, with a single value.`]
  const brackets = first.includes('[') ? ' The brackets are part of the name.' : ''
  const advice = isWrongKindOfId(name, first, value)
    ? ` Send the value of '${first}', not of ${quote(name)}.`
    : brackets
  return [message, `Rename ${quote(name)} to '${first}'.${advice}`]
}

/** Empty for a required field. */
function describeRemoval({ contract, parameters: [parameter] }: SlipFacts): string {
  if (parameter === undefined || parameter.isRequired) return ''
  const alternatives = alternativeFieldsOf(contract)
  const others = alternatives.filter((one) => one !== parameter.name).join("' or '")
  return ` Or remove it, if ${alternatives.includes(parameter.name) ? `you send '${others}'` : 'there is none'}.`
}

function describeSeparation({ name, parameters: [parameter] }: SlipFacts): string {
  const example =
    parameter === undefined || parameter.name === name
      ? `; send a single value as '${name}=${placeholderFor(name)}', without JSON`
      : `, such as '${parameter.name}'`
  return `Send each value under its own name${example}.`
}

function describeInvalid(slip: SlipFacts, sentValue: string): string {
  const { part, name, value } = slip
  return `The ${PARTS[part]} '${name}' must be ${describeExpected(parameterOf(slip).schema, value)}, not ${sentValue}`
}

/** Most kinds of slip are about a parameter. */
function parameterOf({ parameters }: SlipFacts): Parameter {
  return parameters[0] as Parameter
}

function describeBlank(value: unknown): string {
  return value === '' ? "empty ('')" : `white space (${quote(value)})`
}

function omitAdvice(contract: Contract): string {
  return changesRecord(contract) ? 'Leave it out to keep the current value' : 'Leave it out'
}

function describeFix(slip: SlipFacts): string {
  const { contract, part, name, intendedValue } = slip
  const { schema, isRequired } = parameterOf(slip)
  // A sample value would overwrite the value of the record.
  if (!isRequired && intendedValue === undefined && part === 'form' && changesRecord(contract))
    return `${omitAdvice(contract)}, or send ${describeExpected(schema)}.`
  const isFixed = schema.enum?.length === 1 || (slip.value === undefined && name === contract.paging?.page)
  const text = intendedValue ?? (isFixed ? exampleOf(schema) : placeholderFor(name))
  const escaped = encodeURIComponent(text)
  const once = escaped === slip.value && escaped !== text ? ', escaped once' : ''
  if (part === 'query') return `Send it in the query${once}: ?${encodeURI(name)}=${escaped}`
  if (part === 'path')
    return `Send it in the path: ${fillPath(contract, (variable) => (variable === name ? text : placeholderFor(variable)))}`
  const field = isFile(schema) ? `'${name}=@FILE;type=${schema.contentMediaType}'` : shellQuote(`${name}=${text}`)
  return `Send it in the form: -F ${field}`
}

/** `EMAIL` for `list[0][email]`: a reader might copy a sample value as it is. */
export function placeholderFor(name: string): string {
  const words = name.split(/[^A-Za-z_]+/).filter((word) => /[A-Za-z]$/.test(word))
  return (words.at(-1) ?? 'value').replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
}
