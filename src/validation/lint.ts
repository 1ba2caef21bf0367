import type { Contract } from '../../schemas/contract.js'
import { quote } from '../text/wording.js'
import { formats } from './check.js'
import { type NamedPart, unknownName } from './names.js'
import { isPlaceholder, oddFiles, slips, withoutBraces } from './suspicious.js'
import { TOKEN_KEY } from './token.js'
import { type LintedRequest, suspicionOf, type Violation, violationOf } from './violation.js'

/** What a request does wrong beside what its schema forbids. */
export function lint(request: LintedRequest, contract: Contract): readonly Violation[] {
  const { params, query, form, url } = request
  return [
    ...unexpectedBody(request, contract),
    ...unencodedPlus(url, contract),
    ...unknownNames(query, contract, 'query'),
    ...unknownNames(form ?? {}, contract, 'form'),
    ...slips(params, 'path'),
    ...slips(query, 'query'),
    ...notUuid('organization_uuid', query.organization_uuid),
    ...slips(form ?? {}, 'form'),
    ...oddFiles(form ?? {}),
  ]
}

function unexpectedBody({ text, headers }: LintedRequest, contract: Contract): readonly Violation[] {
  // The body of a GET is never read, and an empty one in chunks is none.
  const announced = Number(headers['content-length'] ?? 0) > 0
  if (contract.form !== undefined || (text === null && !announced)) return []
  const message = `${contract.id} takes no request body, but one was sent.`
  const fix = 'Send the parameters only in the path and query.'
  return [violationOf({ code: 'unexpected-body', message, where: 'body', fix }, [contract.cites[0]])]
}

/** The document says no more than a text, but parameter and record are called UUID. */
function notUuid(name: string, value: unknown): readonly Violation[] {
  if (typeof value !== 'string' || value === '' || formats.uuid.test(withoutBraces(value)) || isPlaceholder(value))
    return []
  const message = `The query parameter '${name}' is ${quote(value)}, which is no UUID.`
  return [suspicionOf({ code: 'not-a-uuid', message, where: `query.${name}`, fix: `Send the UUID: ?${name}=…` })]
}

function unencodedPlus(url: string, { query }: Contract): readonly Violation[] {
  const emails = Object.keys(query.properties).filter((name) => query.properties[name]?.format === 'email')
  return emails.flatMap((name) => {
    const pair = url.split(/[?&]/).find((one) => one.startsWith(`${name}=`) && one.includes('+'))
    if (pair === undefined) return []
    return suspicionOf({
      code: 'unencoded-plus',
      message: "The '+' in the e-mail address is not encoded: in a query, it means a space.",
      where: `query.${name}`,
      fix: `?${pair.replaceAll('+', '%2B')}   (encodeURIComponent, or URLSearchParams)`,
    })
  })
}

function unknownNames(sent: Readonly<Record<string, unknown>>, contract: Contract, part: NamedPart): Violation[] {
  const beside = Object.keys(sent)
  return beside
    .filter((name) => !Object.hasOwn(contract[part]?.properties ?? {}, name))
    .filter((name) => part === 'form' || !TOKEN_KEY.test(name))
    .map((name) => unknownName({ name, value: sent[name], part, beside }, contract))
}
