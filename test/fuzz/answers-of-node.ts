import type { Answer } from './oracle.js'

/** What Node answers before anything of ours is asked: both are HTTP, and have no body. */
const answers: readonly ((answer: Answer) => boolean)[] = [
  // A request without Host (RFC 9112, section 3.2).
  ({ status, body }) => status === 400 && body === '',
  // An Expect that is not 100-continue (RFC 9110, section 10.1.1).
  ({ status, body }) => status === 417 && body === '',
]

export function isAnswerOfNode(answer: Answer): boolean {
  return answers.some((matches) => matches(answer))
}
