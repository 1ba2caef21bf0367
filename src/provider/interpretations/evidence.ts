import type { Contract } from '../../../schemas/contract.js'
import type { SwitchName } from '../../../schemas/interpretations.js'
import { errorsAreOpen, statusIsOpen, wordsOf } from '../../../schemas/readings.js'
import { isObject } from '../../text/json.js'
import type { Answer } from '../sender.js'
import { isSuccess, items, member, type Session } from '../session.js'
import { errorShape } from './template-of.js'
import { isApiWord, shapeText } from './words.js'

/** An answer that shows the value of a switch: its status and shape, and never its data. */
export interface Evidence {
  readonly operation: string
  readonly value: unknown
  /** Such as `404 {error: {code: integer, message: text}}`. */
  readonly shown: string
}

function evidenceOf({ status, body, call }: Answer, value: unknown): Evidence {
  const shown = body === undefined ? `${status}` : `${status} ${shapeText(body)}`
  return { operation: call.contract.id, value, shown }
}

const IN_ALL_ANSWERS: Partial<Record<SwitchName, (all: readonly Answer[], contract: Contract) => unknown>> = {
  errorBody: (all, contract) => {
    const errors = all.filter(({ status, body }) => status >= 400 && isObject(body))
    return errorsAreOpen(contract) && errors.length > 0 ? errorShape(errors) : undefined
  },
  successStatus: (all, contract) => {
    const [status, ...others] = new Set(all.filter(isSuccess).map((one) => one.status))
    const isClear = statusIsOpen(contract) && (status === 200 || status === 201) && others.length === 0
    return isClear ? status : undefined
  },
  successWords: (all, contract) => {
    const [status, ...others] = new Set(all.filter(isSuccess).map(({ body }) => member(body, 'status')))
    if (!wordsOf(contract).includes('status') || others.length > 0 || typeof status !== 'string') return undefined
    return isApiWord(status) || /^(?:[a-z_-]{2,24}|[A-Z_-]{2,24})$/.test(status) ? { status } : undefined
  },
  timestamps: (all) => {
    const times = all
      .filter(isSuccess)
      .flatMap(({ body }) => [
        member(body, 'document', 'verified_at'),
        ...items(member(body, 'histories')).map((one) => member(one, 'created_at')),
      ])
    const texts = times.filter((one) => typeof one === 'string')
    if (texts.length > 0 && texts.every((one) => /:\d\dZ$/.test(one))) return 'seconds'
    return texts.length > 0 && texts.every((one) => /\.\d{3}Z$/.test(one)) ? 'milliseconds' : undefined
  },
}

/** What was seen of a switch: by the checks, or in all answers. */
export async function evidenceFor(
  name: SwitchName,
  { seen, contracts, sender }: Session,
): Promise<readonly Evidence[]> {
  const read = IN_ALL_ANSWERS[name]
  if (read === undefined) return (seen.get(name) ?? []).map(({ answer, value }) => evidenceOf(answer, value))
  const all = await Promise.all(
    contracts.map(async (contract) => {
      const answers = await sender.answersOf(contract)
      const value = read(answers, contract)
      const telling = answers.find((one) => isSuccess(one) === (name !== 'errorBody'))
      return telling === undefined || value === undefined ? [] : [evidenceOf(telling, value)]
    }),
  )
  return all.flat()
}
