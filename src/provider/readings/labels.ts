/** Words that APIs say to programs, and that name nobody. */
const VOCABULARY: ReadonlySet<string> = new Set([
  ...['bad request', 'unauthorized', 'forbidden', 'not found', 'conflict', 'unprocessable entity'],
  ...['unprocessable content', 'internal server error', 'accepted', 'validation error', 'invalid request'],
  ...['about:blank', 'success', 'successful', 'succeeded', 'ok', 'okay', 'done', 'complete', 'completed', 'fine'],
  ...['created', 'updated', 'uploaded', 'stored', 'saved', 'sent', 'invited', 'found', 'verified', 'protected'],
  ...['error', 'errors', 'fail', 'failed', 'failure', 'invalid', 'denied', 'refused', 'rejected', 'fault', 'problem'],
  ...['purchase', 'allocation', 'return', 'free credit', 'admin', 'member', 'enterprise api', 'pending', 'active'],
])

/** Whether a text is a word of an API, however it is written: `FREE-CREDIT` as well as `free_credit`. */
export function isLabel(text: string): boolean {
  const words = text.toLowerCase()
  return VOCABULARY.has(words) || VOCABULARY.has(words.replace(/[_-]+/g, ' '))
}

/** What sentences of APIs begin with; another word that is written large may be a name. */
const FIRST = new RegExp(
  `^(?:${['the', 'your', 'a', 'an', 'all', 'no', 'it', 'this', 'thank', 'request', 'operation', 'action', 'success', 'successfully', 'ok', 'done', 'created', 'updated', 'uploaded', 'stored', 'saved', 'sent', 'found', 'verified', 'protected', 'signature', 'image', 'file', 'document', 'documents', 'pdf', 'attachment', 'attachments', 'member', 'members', 'user', 'users', 'invitation', 'invite', 'mail', 'e-mail', 'email', 'link', 'project', 'organization', 'sub-organization', 'credit', 'credits', 'history', 'record', 'records', 'data', 'result', 'results', 'verification', 'upload', 'update'].join('|')})$`,
  'i',
)

/** Whether a text is one that a program says to everybody: it has no name, address or number in it. */
export function isSaidToAll(text: string): boolean {
  const [first = '', ...others] = text.split(/\s+/)
  const plain = /^[\p{L}'’.,:;!?()-]+$/u
  const common = (word: string) => word === word.toLowerCase() || (word === word.toUpperCase() && word.length <= 5)
  return (
    (first === first.toLowerCase() || FIRST.test(first)) &&
    plain.test(first) &&
    others.length > 0 &&
    others.every((word) => plain.test(word) && common(word))
  )
}

/** A number that counts something; a larger one may be somebody's, and only its type is kept. */
export function plainNumber(value: number): number {
  return Math.abs(value) < 1_000 ? value : 1
}
