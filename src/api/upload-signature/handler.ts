import type { uploadSignature as contract } from '../../../schemas/upload-signature.js'
import type { UploadedFile } from '../../engine/contract/fields.js'
import { quote } from '../../engine/contract/wording.js'
import type { Reply } from '../../engine/operation.js'
import type { Handler } from '../handler.js'
import { imageType, newestSignature } from '../image.js'
import { type Signature, signatures } from '../records.js'

/** Larger images are stored without their bytes. Pages show a user's newest. */
const LARGEST_SHOWN = 64 * 1024

const NO_IMAGE = {
  where: 'form.file',
  fix: "-F 'file=@FILE;type=image/png'",
  cites: ['S1.2', 'I-09'],
} as const

export const uploadSignature: Handler<typeof contract, string> = {
  inspect: async ({ file }, reply) => {
    const mediaType = await imageType(file.content)
    return mediaType === undefined ? { invalid: noImage(file, reply) } : { found: mediaType }
  },
  handle: ({ form, user, sandbox }, reply, mediaType) => {
    const { file, source, uuid, type } = form
    const stored = sandbox.state.collection(signatures)
    const shown = newestSignature(sandbox.state, user.uuid)
    if (shown !== undefined) stored.put(withoutImage(shown))
    const signature: Signature = {
      id: sandbox.uuid('signature', stored),
      user_uuid: user.uuid,
      filename: file.filename,
      media_type: mediaType,
      size: file.size,
      sha256: file.sha256,
      source,
      uuid,
      type,
      created_at: sandbox.clock.iso(),
    }
    stored.put(
      file.size <= LARGEST_SHOWN ? Object.assign(new WithImage(mediaType, file.content), signature) : signature,
    )
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

/**
 * What a signature has beside its fields. The image stays in bytes until it is read: to write 50 KiB as a text takes a tenth
 * of their upload. A copy by `...` has no image.
 */
class WithImage {
  readonly #mediaType: string
  readonly #content: Buffer

  constructor(mediaType: string, content: Uint8Array) {
    this.#mediaType = mediaType
    this.#content = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  }

  get image(): string {
    return `data:${this.#mediaType};base64,${this.#content.toString('base64')}`
  }

  toJSON(): object {
    return { ...this, image: this.image }
  }
}

/** A copy, for which the image is not written first. */
function withoutImage(signature: Signature): Signature {
  const copy = { ...signature }
  delete copy.image
  return copy
}
