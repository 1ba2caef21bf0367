import type { Attachment } from '../../../schemas/resources.js'
import type { searchProtectedAttachments as contract } from '../../../schemas/search-protected-attachments.js'
import type { State } from '../../world/state/state.js'
import { SubstringIndex } from '../../world/state/substring-index.js'
import type { Handler } from '../handler.js'

export const searchProtectedAttachments: Handler<typeof contract> = ({ query, user, world, readings }, reply) => {
  const keywords = [query['keyword[sample_1]'], query['keyword[sample_2]'], query['keyword[sample_3]']].filter(
    // An empty one arrives here only where it is to be ignored (I-05).
    (keyword): keyword is string => keyword !== undefined && keyword.trim() !== '',
  )
  const { keywordMatch, attachmentStatus } = readings
  const { state } = world
  const data = state
    .lookup(
      ['projects', 'attachments'],
      `${attachmentStatus} attachments of ${user.uuid}`,
      () => attachmentsOf(state, user.uuid, attachmentStatus === 'any'),
      ({ bytes }) => bytes,
    )
    .search(keywords, keywordMatch)
  if (data.length === 0) {
    const words = keywords.map((one) => `'${one}'`).join(keywordMatch === 'all' ? ' and ' : ' or ')
    return reply(
      404,
      words === '' ? 'You have no protected documents.' : `None of your protected documents matches ${words}.`,
    )
  }
  return reply(200, { message: 'Protected attachments retrieved successfully.', data })
}

/** The attachments of a user's projects, protected ones alone or all (I-05), by the text that keywords are looked for in. */
function attachmentsOf(state: State, userUuid: string, ofAnyStatus: boolean): SubstringIndex<Attachment> {
  const attachments = state
    .collection('projects')
    .find('user', userUuid.toLowerCase())
    .flatMap((project) => state.collection('attachments').find('project', project.uuid.toLowerCase()))
    .filter(({ status }) => ofAnyStatus || status === 'protected')
    .sort((a, b) => a.id - b.id)
  return new SubstringIndex(attachments, (one) => [
    one.name,
    one.file_name,
    one.reference_number,
    one.category,
    one.type,
  ])
}
