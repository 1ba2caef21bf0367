import { STATUS_CODES } from 'node:http'
import { declaredBody } from '../../../../schemas/bodies.js'
import { isSuccess } from '../../../../schemas/contract.js'
import { errorsAreOpen, wordsOf } from '../../../../schemas/readings.js'
import { knowsWord } from '../../../../schemas/variations.js'
import { type Draw, drawn } from './draw.js'
import type { Answer, Given, Variation } from './variation.js'

/** What a message might say instead, in the words of other services and other languages. */
const MESSAGES = ['OK', 'Done.', 'The request was processed.', 'Erfolgreich verarbeitet.', '処理が完了しました。']
/** What a status might be instead. */
const STATUS_WORDS = ['ok', 'OK', 'Success', 'SUCCESS', 'done', 'completed']

/** What an error might say instead; all that it says is still there, such as the parameter that is missing (SE.8). */
const WRAPPED: readonly ((message: string) => string)[] = [
  (message) => `Error: ${message}`,
  (message) => `${message} (request refused)`,
  (message) => `La requête a échoué : ${message}`,
]
/** The same where the document does not show what errors say. */
const REPLACED: readonly ((message: string, status: number) => string)[] = [
  ...WRAPPED,
  (_, status) => STATUS_CODES[status] ?? 'Error',
  (_, status) => `ERR_${status}`,
]

/** Another text for people. */
export const message: Variation = {
  name: 'message',
  change: (answer, draw, given) =>
    isSuccess(answer.contract.responses[answer.status])
      ? withWords(
          answer,
          given,
          (name) => name !== 'status',
          () => drawn(draw, MESSAGES),
        )
      : withMessage(answer, draw, given),
}

/** Another value of `status` in the success bodies whose words are ours (I-22). */
export const statusWord: Variation = {
  name: 'status-word',
  change: (answer, draw, given) =>
    isSuccess(answer.contract.responses[answer.status])
      ? withWords(
          answer,
          given,
          (name) => name === 'status',
          () => drawn(draw, STATUS_WORDS),
        )
      : undefined,
}

function withWords(
  { body }: Answer,
  { documentedContract, known }: Given,
  isMeant: (name: string) => boolean,
  word: () => string,
): Partial<Answer> | undefined {
  const before = body as Readonly<Record<string, unknown>>
  const changed = wordsOf(documentedContract)
    .filter((name) => isMeant(name) && name in before && !knowsWord(known, documentedContract.id, name))
    .map((name) => [name, word()] as const)
    .filter(([name, value]) => before[name] !== value)
  return changed.length === 0 ? undefined : { body: { ...before, ...Object.fromEntries(changed) } }
}

function withMessage(
  { contract, status, said, body: before }: Answer,
  draw: Draw,
  { documentedContract }: Given,
): Partial<Answer> | undefined {
  const other = drawn(draw, errorsAreOpen(documentedContract) ? REPLACED : WRAPPED)(String(said), status)
  const body = declaredBody(contract, status, other)
  // The envelope that a user knows may show no message.
  return JSON.stringify(body) === JSON.stringify(before) ? undefined : { said: other, body }
}
