import type { Contract } from '../../schemas/contract.js'
import { quote } from '../text/wording.js'
import { formats } from './formats.js'
import { collect, type LintedRequest, type LintRule, NONE } from './lint-rule.js'
import { type NamedPart, unknownName } from './names.js'
import { isPlaceholder, oddFiles, slips, withoutBraces } from './suspicious.js'
import { TOKEN_KEY } from './token.js'
import { suspicionOf, type Violation, violationOf } from './violation.js'

/** What a request does wrong beside what its schema forbids. */
export function lint(request: LintedRequest, contract: Contract): readonly Violation[] {
  return collect(requestRules, request, contract)
}

const requestRules: readonly LintRule[] = [
  ({ text, headers }, contract) => {
    // The body of a GET is never read, and an empty one in chunks is none.
    const announced = Number(headers['content-length'] ?? 0) > 0
    if (contract.form !== undefined || (text === null && !announced)) return NONE
    const message = `${contract.id} takes no request body, but one was sent.`
    const fix = 'Send the parameters only in the path and query.'
    return [violationOf({ code: 'unexpected-body', message, where: 'body', fix }, [contract.cites[0]])]
  },
  ({ url }, contract) => {
    if (!url.includes('+')) return NONE
    return emailParametersOf(contract).flatMap((name) => unencodedPlus(url, name))
  },
  ({ query }, contract) => unknownNames(query, contract, 'query'),
  ({ form }, contract) => (form === null ? NONE : unknownNames(form, contract, 'form')),
  ({ params }) => slips(params, 'path'),
  ({ query }) => slips(query, 'query'),
  ({ query }) => notUuid('organization_uuid', query.organization_uuid),
  ({ form }) => (form === null ? NONE : slips(form, 'form')),
  ({ form }) => (form === null ? NONE : oddFiles(form)),
]

/** The document says no more than a text, but parameter and record are called UUID. */
function notUuid(name: string, value: unknown): readonly Violation[] {
  if (typeof value !== 'string' || value === '' || formats.uuid.test(withoutBraces(value)) || isPlaceholder(value))
    return NONE
  const message = `The query parameter '${name}' is ${quote(value)}, which is no UUID.`
  return [suspicionOf({ code: 'not-a-uuid', message, where: `query.${name}`, fix: `Send the UUID: ?${name}=…` })]
}

function emailParametersOf({ query }: Contract): string[] {
  return Object.keys(query.properties).filter((name) => query.properties[name]?.format === 'email')
}

function unencodedPlus(url: string, name: string): readonly Violation[] {
  const pair = url.split(/[?&]/).find((one) => one.startsWith(`${name}=`) && one.includes('+'))
  if (pair === undefined) return NONE
  return [
    suspicionOf({
      code: 'unencoded-plus',
      message: "The '+' in the e-mail address is not encoded: in a query, it means a space.",
      where: `query.${name}`,
      fix: `?${pair.replaceAll('+', '%2B')}   (encodeURIComponent, or URLSearchParams)`,
    }),
  ]
}

function unknownNames(
  sent: Readonly<Record<string, unknown>>,
  contract: Contract,
  part: NamedPart,
): readonly Violation[] {
  let found: Violation[] | undefined
  const known = contract[part]?.properties
  const beside = Object.keys(sent)
  for (const name in sent) {
    if (known !== undefined && Object.hasOwn(known, name)) continue
    if (part === 'query' && TOKEN_KEY.test(name)) continue
    found = [...(found ?? []), unknownName({ name, value: sent[name], part, beside }, contract)]
  }
  return found ?? NONE
}
