import type { uploadSignature as contract } from '../../../schemas/upload-signature.js'
import { quote } from '../../text/wording.js'
import type { Handler, Refuse } from '../handler.js'
import { imageType } from '../image.js'

/** Larger images are stored without their bytes. Pages show a user's newest. */
const LARGEST_SHOWN = 64 * 1024

const NO_IMAGE = {
  where: 'form.file',
  fix: "-F 'file=@signature.png;type=image/png'",
  cites: ['S1.2', 'I-09'],
} as const

export const refuseNoImage: Refuse<typeof contract> = async ({ file }, reply) => {
  if (file.size === 0) {
    return reply(422, "The form field 'file' is empty: send an image, PNG recommended.", {
      code: 'empty-file',
      ...NO_IMAGE,
    })
  }
  if ((await imageType(file.content)) !== undefined) return undefined
  const name = file.filename === '' ? '' : ` (${quote(file.filename)})`
  return reply(
    422,
    `The form field 'file'${name} is not an image: its content is not recognised as one. PNG is recommended.`,
    { code: 'not-an-image', ...NO_IMAGE },
  )
}

export const uploadSignature: Handler<typeof contract> = async ({ form, user, world }, reply) => {
  const refused = await refuseNoImage(form, reply)
  if (refused !== undefined) return refused
  const { file, source, uuid, type } = form
  const mediaType = (await imageType(file.content)) as string
  const signatures = world.state.collection('signatures')
  const shown = signatures
    .all()
    .findLast(({ image, user_uuid }) => image !== undefined && user_uuid.toLowerCase() === user.uuid.toLowerCase())
  if (shown !== undefined) {
    const { image: _, ...older } = shown
    signatures.put(older)
  }
  const signature = signatures.put({
    id: world.uuid('signature', signatures),
    user_uuid: user.uuid,
    filename: file.filename,
    media_type: mediaType,
    size: file.size,
    sha256: file.sha256,
    source,
    uuid,
    type,
    created_at: world.clock.iso(),
    ...(file.size <= LARGEST_SHOWN && { image: dataUrl(mediaType, file.content) }),
  })
  return reply(200, {
    status: 'success',
    message: 'Signature uploaded successfully.',
    signature_id: signature.id,
  })
}

function dataUrl(mediaType: string, content: Uint8Array): string {
  return `data:${mediaType};base64,${Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64')}`
}
