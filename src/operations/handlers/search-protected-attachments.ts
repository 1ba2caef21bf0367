import { deepFreeze } from '../../../schemas/freeze.js'
import type { Attachment } from '../../../schemas/resources.js'
import type { searchProtectedAttachments as contract } from '../../../schemas/search-protected-attachments.js'
import type { SeededCollections } from '../../world/state/seeded-collections.js'
import { SubstringIndex } from '../../world/state/substring-index.js'
import type { Handler } from '../handler.js'

export const searchProtectedAttachments: Handler<typeof contract> = ({ query, user, world, readings }, reply) => {
  const keywords = [query['keyword[sample_1]'], query['keyword[sample_2]'], query['keyword[sample_3]']].filter(
    // An empty one arrives here only where it is to be ignored (I-05).
    (keyword): keyword is string => keyword !== undefined && keyword.trim() !== '',
  )
  const { keywordMatch } = readings
  const { seeded } = world.state
  // The fixtures are frozen, so a search that was made finds the same the next time.
  const derive = () => {
    const data = seeded
      .index(`attachments of ${user.uuid}`, () => attachmentsOf(seeded, user.uuid))
      .search(keywords, keywordMatch)
    return deepFreeze({ message: 'Protected attachments retrieved successfully.', data })
  }
  const weigh = ({ data }: ReturnType<typeof derive>) => BYTES_PER_RECORD * (data.length + 1)
  const body = seeded.view(JSON.stringify(['search', user.uuid, keywordMatch, ...keywords]), derive, weigh)
  if (body.data.length === 0) {
    const words = keywords.map((one) => `'${one}'`).join(keywordMatch === 'all' ? ' and ' : ' or ')
    return reply(
      404,
      words === '' ? 'You have no protected documents.' : `None of your protected documents matches ${words}.`,
    )
  }
  return reply(200, body)
}

/** Roughly, in the text that is sent of it. */
const BYTES_PER_RECORD = 2_000

/** The attachments of a user's projects, by the text that keywords are looked for in. */
function attachmentsOf(seeded: SeededCollections, userUuid: string): SubstringIndex<Attachment> {
  const attachments = seeded
    .collection('projects')
    .find('user', userUuid.toLowerCase())
    .flatMap((project) => seeded.collection('attachments').find('project', project.uuid.toLowerCase()))
    .sort((a, b) => a.id - b.id)
  return new SubstringIndex(attachments, (one) => [
    one.name,
    one.file_name,
    one.reference_number,
    one.category,
    one.type,
  ])
}
