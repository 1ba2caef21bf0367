import type { Attachment } from '../../../schemas/resources.js'
import type { searchProtectedAttachments as contract } from '../../../schemas/search-protected-attachments.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import type { Handler } from '../handler-type.js'
import { attachments, exampleProjectUuid, projects } from '../records.js'

export const searchProtectedAttachments: Handler<typeof contract> = {
  handle: ({ query, user, sandbox }, reply) => {
    const keywords = [query['keyword[sample_1]'], query['keyword[sample_2]'], query['keyword[sample_3]']].filter(
      (keyword) => keyword !== undefined,
    )
    const foldedKeywords = keywords.map(foldCase)
    const data = attachmentsOf(sandbox, user.uuid).filter((attachment) => {
      const text = searchTextOf(attachment)
      return foldedKeywords.every((keyword) => text.includes(keyword) && !keyword.includes(SEPARATOR))
    })
    if (data.length > 0) return reply(200, { message: 'Protected attachments retrieved successfully.', data })
    const list = keywords.map((keyword) => `'${keyword}'`).join(' and ')
    return reply(404, `None of your protected documents matches ${list}.`)
  },
  examples: (sandbox) => {
    const projectUuid = exampleProjectUuid(sandbox)
    const all = sandbox.state.collection(attachments).all()
    const attachment = all.find(({ project_uuid, status }) => project_uuid === projectUuid && status === 'protected')
    return { 'keyword[sample_1]': attachment?.name.split(' ').at(-1) }
  },
}

function attachmentsOf({ state }: Sandbox, userUuid: string): Attachment[] {
  return state
    .collection(projects)
    .findBy('user_uuid', userUuid.toLowerCase())
    .flatMap(({ uuid }) => state.collection(attachments).findBy('project_uuid', uuid.toLowerCase()))
    .filter(({ status }) => status === 'protected')
    .sort((a, b) => a.id - b.id)
}

/** Keeps a match from spanning two fields. */
const SEPARATOR = '\u0000'

/** Records never change, so each text is computed once. */
const searchTexts = new WeakMap<Attachment, string>()

function searchTextOf(attachment: Attachment): string {
  const cached = searchTexts.get(attachment)
  if (cached !== undefined) return cached
  const { name, file_name, reference_number, category, type } = attachment
  const text = foldCase([name, file_name, reference_number, category, type].join(SEPARATOR))
  searchTexts.set(attachment, text)
  return text
}

/** In lower case, composed (NFC); a final sigma equals any other sigma. */
function foldCase(text: string): string {
  return text.normalize().toLowerCase().replaceAll('ς', 'σ')
}
