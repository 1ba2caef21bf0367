import type { UploadedFile } from '../../../../schemas/common.js'
import type { uploadSignature as contract } from '../../../../schemas/upload-signature.js'
import { quote } from '../../text/wording.js'
import type { Handling, Reply } from '../handler.js'
import { imageType, newestSignature } from '../image.js'

/** Larger images are stored without their bytes. Pages show a user's newest. */
const LARGEST_SHOWN = 64 * 1024

const NO_IMAGE = {
  where: 'form.file',
  fix: "-F 'file=@FILE;type=image/png'",
  cites: ['S1.2', 'I-09'],
} as const

export const uploadSignature: Handling<typeof contract, string> = {
  inspect: async ({ file }, reply) => {
    const mediaType = await imageType(file.content)
    return mediaType === undefined ? { invalid: noImage(file, reply) } : { found: mediaType }
  },
  handle: ({ form, user, sandbox }, reply, mediaType) => {
    const { file, source, uuid, type } = form
    const signatures = sandbox.state.collection('signatures')
    const shown = newestSignature(sandbox.state, user.uuid)
    if (shown !== undefined) {
      const { image: _, ...older } = shown
      signatures.put(older)
    }
    const signature = signatures.put({
      id: sandbox.uuid('signature', signatures),
      user_uuid: user.uuid,
      filename: file.filename,
      media_type: mediaType,
      size: file.size,
      sha256: file.sha256,
      source,
      uuid,
      type,
      created_at: sandbox.clock.iso(),
      ...(file.size <= LARGEST_SHOWN && { image: dataUrl(mediaType, file.content) }),
    })
    return reply(200, {
      status: 'success',
      message: 'Signature uploaded successfully.',
      signature_id: signature.id,
    })
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

function dataUrl(mediaType: string, content: Uint8Array): string {
  return `data:${mediaType};base64,${Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64')}`
}
