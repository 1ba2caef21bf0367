import type { Attachment } from '../../../schemas/resources.js'
import type { searchProtectedAttachments as contract } from '../../../schemas/search-protected-attachments.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import type { Handler } from '../handler-type.js'
import { attachments, firstUserOf, projects } from '../records.js'

export const searchProtectedAttachments: Handler<typeof contract> = {
  handle: ({ query, user, sandbox }, reply) => {
    const keywords = [query['keyword[sample_1]'], query['keyword[sample_2]'], query['keyword[sample_3]']].filter(
      (keyword) => keyword !== undefined,
    )
    const wanted = keywords.map(folded)
    const data = attachmentsOf(sandbox, user.uuid).filter((attachment) => {
      const text = textOf(attachment)
      return wanted.every((keyword) => text.includes(keyword) && !keyword.includes(SEPARATOR))
    })
    if (data.length > 0) return reply(200, { message: 'Protected attachments retrieved successfully.', data })
    const words = keywords.map((one) => `'${one}'`).join(' and ')
    return reply(404, `None of your protected documents matches ${words}.`)
  },
  examples: (sandbox) => {
    const { state } = sandbox
    const own = firstUserOf(sandbox)?.uuid
    const project = state
      .collection(projects)
      .all()
      .find(({ user_uuid }) => user_uuid === own)
    const found = state
      .collection(attachments)
      .all()
      .find((one) => one.project_uuid === project?.uuid && one.status === 'protected')
    return { 'keyword[sample_1]': found?.name.split(' ').at(-1) }
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
