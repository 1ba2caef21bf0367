import type { Attachment } from '../../../schemas/resources.js'
import type { searchProtectedAttachments as contract } from '../../../schemas/search-protected-attachments.js'
import type { Handling } from '../../engine/operation.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'

export const searchProtectedAttachments: Handling<typeof contract> = {
  handle: ({ query, user, sandbox, switches }, reply) => {
    const keywords = [query['keyword[sample_1]'], query['keyword[sample_2]'], query['keyword[sample_3]']].filter(
      // An empty keyword gets here only if it is ignored (I-05).
      (keyword): keyword is string => keyword !== undefined && keyword.trim() !== '',
    )
    const { keywordMatch, attachmentStatus } = switches
    const wanted = keywords.map(folded)
    const data = attachmentsOf(sandbox, user.uuid, attachmentStatus === 'any').filter((attachment) => {
      const text = textOf(attachment)
      const isFound = (keyword: string) => text.includes(keyword) && !keyword.includes(SEPARATOR)
      return keywordMatch === 'any' && wanted.length > 0 ? wanted.some(isFound) : wanted.every(isFound)
    })
    if (data.length === 0) {
      const words = keywords.map((one) => `'${one}'`).join(keywordMatch === 'all' ? ' and ' : ' or ')
      return reply(
        404,
        words === '' ? 'You have no protected documents.' : `None of your protected documents matches ${words}.`,
      )
    }
    return reply(200, { message: 'Protected attachments retrieved successfully.', data })
  },
  examples: ({ state, firstUser }) => {
    const projects = state.collection('projects').all()
    const project = projects.find(({ user_uuid }) => user_uuid === firstUser?.uuid)
    const attachments = state.collection('attachments').all()
    const found = attachments.find((one) => one.project_uuid === project?.uuid && one.status === 'protected')
    return { 'keyword[sample_1]': found?.name.split(' ').at(-1) }
  },
}

function attachmentsOf({ state }: Sandbox, userUuid: string, ofAnyStatus: boolean): Attachment[] {
  const projects = state.collection('projects').lookUp(userUuid.toLowerCase())
  return projects
    .flatMap(({ uuid }) => state.collection('attachments').lookUp(uuid.toLowerCase()))
    .filter(({ status }) => ofAnyStatus || status === 'protected')
    .sort((a, b) => a.id - b.id)
}

/** Keeps a match from spanning two fields. */
const SEPARATOR = '\u0000'

/** Records never change, so each is folded once. */
const texts = new WeakMap<Attachment, string>()

function textOf(attachment: Attachment): string {
  const known = texts.get(attachment)
  if (known !== undefined) return known
  const { name, file_name, reference_number, category, type } = attachment
  const text = folded([name, file_name, reference_number, category, type].join(SEPARATOR))
  texts.set(attachment, text)
  return text
}

/** In lower case, composed (NFC); a final sigma counts as any other. */
function folded(text: string): string {
  return text.normalize().toLowerCase().replaceAll('ς', 'σ')
}
