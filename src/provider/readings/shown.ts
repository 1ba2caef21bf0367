import type { Answer } from '../calls/send.js'
import { shapeText } from '../shape.js'
import type { Evidence } from './lesson.js'

/** What an answer shows: its status and its shape. */
export function shownBy({ status, body }: Answer): string {
  return body === undefined ? `${status}` : `${status} ${shapeText(body)}`
}

/** That an answer shows a value. */
export function evidenceOf(answer: Answer, value: unknown): Evidence {
  return { operation: answer.call.contract.id, value, shown: shownBy(answer) }
}
