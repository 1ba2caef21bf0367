import type { uploadSignature as contract } from '../../../schemas/upload-signature.js'
import type { UploadedFile } from '../../engine/contract/fields.js'
import { quote } from '../../engine/contract/wording.js'
import type { Reply } from '../../engine/operation.js'
import type { Handler } from '../handler-type.js'
import { imageType, newestSignature } from '../image.js'
import { signatures } from '../records.js'

/** Larger images are stored without their bytes. Pages show only the newest image of a user. */
const LARGEST_SHOWN = 64 * 1024

const NO_IMAGE = {
  where: 'form.file',
  fix: "Send an image in the form: -F 'file=@FILE;type=image/png'",
  cites: ['S1.2', 'I-09'],
} as const

export const uploadSignature: Handler<typeof contract, string> = {
  inspect: async ({ file }, reply) => {
    const mediaType = await imageType(file.content)
    return mediaType === undefined ? { invalid: noImage(file, reply) } : { result: mediaType }
  },
  handle: ({ form, user, sandbox }, reply, mediaType) => {
    const { file, source, uuid, type } = form
    const all = sandbox.state.collection(signatures)
    const id = sandbox.uuid('signature', all)
    const previous = newestSignature(sandbox.state, user.uuid)
    if (previous !== undefined) all.put({ ...previous, image: undefined })
    all.put({
      id,
      user_uuid: user.uuid,
      filename: file.filename,
      media_type: mediaType,
      size: file.size,
      sha256: file.sha256,
      source,
      uuid,
      type,
      created_at: sandbox.clock.iso(),
      image:
        file.size > LARGEST_SHOWN
          ? undefined
          : `data:${mediaType};base64,${Buffer.from(file.content).toString('base64')}`,
    })
    return reply(200, { status: 'success', message: 'Signature uploaded successfully.', signature_id: id })
  },
}

function noImage({ filename, size }: UploadedFile, reply: Reply<typeof contract>) {
  if (size === 0) {
    const message = "The form field 'file' is empty: send an image, PNG recommended."
    return reply(422, message, { code: 'empty-file', ...NO_IMAGE })
  }
  const name = filename === '' ? '' : ` (${quote(filename)})`
  const message = `The form field 'file'${name} is not an image: its content is not recognised as one. PNG is recommended.`
  return reply(422, message, { code: 'not-an-image', ...NO_IMAGE })
}
