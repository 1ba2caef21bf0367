/** Words that APIs use for programs, and that name no person. */
const VOCABULARY: ReadonlySet<string> = new Set([
  ...['bad request', 'unauthorized', 'forbidden', 'not found', 'conflict', 'unprocessable entity'],
  ...['unprocessable content', 'internal server error', 'accepted', 'validation error', 'invalid request'],
  ...['about:blank', 'success', 'successful', 'succeeded', 'ok', 'okay', 'done', 'complete', 'completed', 'fine'],
  ...['created', 'updated', 'uploaded', 'stored', 'saved', 'sent', 'invited', 'found', 'verified', 'protected'],
  ...['error', 'errors', 'fail', 'failed', 'failure', 'invalid', 'denied', 'refused', 'rejected', 'fault', 'problem'],
  ...['purchase', 'allocation', 'return', 'free credit', 'admin', 'member', 'enterprise api', 'pending', 'active'],
  ...['sign', 'self', 'link', 'url', 'text', 'none'],
])

/** Whether a text is a word of an API, however it is written: `FREE-CREDIT` as well as `free_credit`. */
export function isLabel(text: string): boolean {
  const words = text.toLowerCase()
  return VOCABULARY.has(words) || VOCABULARY.has(words.replace(/[_-]+/g, ' '))
}

/** What sentences of APIs begin with; another word that is written large may be a name. */
const OPENINGS: ReadonlySet<string> = new Set(
  `a action all an attachment attachments created credit credits data document documents done e-mail email file found
  history image invitation invite it link mail member members no ok operation organization pdf project protected record
  records request result results saved sent signature stored sub-organization success successfully thank the this update
  updated upload uploaded user users verification verified your`.split(/\s+/),
)

/** Whether a text is one that a program says to everybody: it has no name, address or number in it. */
export function isSaidToAll(text: string): boolean {
  if (isLabel(text.replace(/[.!]$/, ''))) return true
  const [first = '', ...others] = text.split(/\s+/)
  const opening = first.toLowerCase().replace(/[^a-z-]/g, '')
  const plain = /^[\p{L}'’.,:;!?()-]+$/u
  const common = (word: string) => word === word.toLowerCase() || (word === word.toUpperCase() && word.length <= 5)
  return (
    (first === first.toLowerCase() || OPENINGS.has(opening)) &&
    plain.test(first) &&
    others.length > 0 &&
    others.every((word) => plain.test(word) && common(word))
  )
}

/** Seconds of an hour, a day, a week and the like. */
const DURATIONS: ReadonlySet<number> = new Set([1_800, 3_600, 7_200, 86_400, 172_800, 259_200, 604_800, 2_592_000])

/** A number that counts something; a larger one may be somebody's, and only its type is kept. */
export function plainNumber(value: number): number {
  return Math.abs(value) < 1_000 || DURATIONS.has(value) ? value : 1
}

/** Whether a key is one that programs know; others may be data. */
export function isName(key: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,39}$/.test(key)
}
