import t from 'tap'
import { uploadSignature, verifyDocument } from '../../schemas/index.js'
import { adminOf, answerOf, build, type FilePart, fileOf, fixtureFile, send } from '../helper.js'

const ADMIN = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'
const MEMBER = '7c2d9e41-6a5b-4f38-8e17-2b9c0d1f3a64'

t.test('a verification', async (t) => {
  const server = await build(t)
  const verify = (file: string | undefined, code: string | undefined, user_uuid = ADMIN) =>
    send(server, verifyDocument, { form: { file: file && fixtureFile(file), code, user_uuid } })

  const cases: [file: string | undefined, code: string | undefined, status: number, words: string, user?: string][] = [
    ['verified.pdf', undefined, 404, 'fingerprint of the file', '00000000-0000-4000-8000-000000000000'],
    ['verified-second.pdf', 'DOC-2025-0001', 422, "not the document 'DOC-2025-0001'"],
    ['revoked.pdf', undefined, 422, "its status is 'revoked'"],
    ['other-user.pdf', undefined, 404, 'fingerprint of the file'],
    ['other-user.pdf', undefined, 200, 'verified', MEMBER],
    ['tampered.pdf', undefined, 422, "its status is 'tampered'"],
    ['unknown.pdf', undefined, 404, 'fingerprint of the file'],
    ['unknown.pdf', 'DOC-2025-0001', 422, "not the document 'DOC-2025-0001'"],
    ['encrypted.pdf', undefined, 422, "its status is 'encrypted'"],
    ['damaged.pdf', undefined, 422, "the PDF 'damaged.pdf' is damaged"],
    [undefined, 'doc-2025-0001', 404, "No document has the code 'doc-2025-0001'"],
    [undefined, 'DOC-2025-0003', 422, "The document 'DOC-2025-0003' could not be verified: its status is 'revoked'"],
    [undefined, 'DOC-2025-0004', 404, "No document of this user has the code 'DOC-2025-0004'"],
    [undefined, 'DOC-2025-0007', 200, 'verified', MEMBER],
  ]

  t.test('a verification gets 200, 404 or 422 depending on file, code and user', async (t) => {
    for (const [file, code, status, words, user = ADMIN] of cases) {
      const { statusCode, body } = await verify(file, code, user)
      t.match([statusCode, body], [status, words], `${file} with the code ${code} for ${user}`)
    }
  })

  t.test('a PDF is recognised by its content, not by its name or type', async (t) => {
    const renamed = { ...fixtureFile('verified.pdf'), filename: 'page.html', type: 'text/html' }
    const empty = fileOf('', 'a.pdf', 'application/pdf')
    for (const [file, status] of [[renamed, 200] as const, [empty, 400] as const]) {
      const { statusCode } = await send(server, verifyDocument, { form: { file, code: undefined } })
      t.equal(statusCode, status, file.filename)
    }
  })
})

t.test('a signature', async (t) => {
  const server = await build(t)
  const upload = async (file: FilePart) => answerOf(await send(server, uploadSignature, { form: { file } }))
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const BOM = '\xef\xbb\xbf'

  t.test('a signature may be any image, recognised by its content', async (t) => {
    const images = ['signature.png', 'signature.jpg', 'signature.gif', 'signature.webp', 'signature.svg']
    const beginnings = {
      'a PNG that ends after its magic bytes': '\x89PNG\r\n\x1a\n',
      'a bare SVG': svg,
      'an SVG after a byte order mark, a declaration and a comment': `${BOM}<?xml version="1.0"?>\n<!-- drawn > by hand -->\n${svg}`,
      'an SVG after a document type': `<!DOCTYPE svg [\n<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]>\n${svg}`,
      'an SVG after a long comment': `<!-- ${'x'.repeat(10_000)} -->${svg}`,
      'an SVG after an entity with a bracket': `<!DOCTYPE svg [<!ENTITY a "]>">]>${svg}`,
      'an SVG in UTF-16': Buffer.from(`\ufeff<?xml version="1.0"?>${svg}`, 'utf16le').toString('latin1'),
      'an SVG with a namespace prefix': '<svg:svg/>',
      'a BMP': `BM\x8a\x04${'\0'.repeat(6)}\x8a\0\0\0\x7c\0\0\0`,
      'an AVIF': '\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf',
      'a Photoshop file': '8BPS\0\x01\0\0\0\0\0\0\0\x03',
    }
    const generated = Object.entries(beginnings).map(([label, text]) => fileOf(Buffer.from(text, 'latin1'), label))
    for (const file of [...images.map((name) => fixtureFile(name)), ...generated])
      t.match(await upload({ ...file, filename: 'notes.txt', type: 'text/plain' }), { status: 200 }, file.filename)
  })

  t.test('a signature is kept with its bytes up to 64 KiB', async (t) => {
    const png = Buffer.from(fixtureFile('signature.png').content)
    for (const [size, image] of [
      [65_536, /^data:image\/png;base64,/],
      [65_537, undefined],
    ]) {
      await upload(fileOf(Buffer.concat([png], size as number), 'large.png'))
      t.match((await adminOf(server).state()).signatures.at(-1), { size, image }, `${size} bytes`)
    }
  })

  t.test('an empty file, or one that is not an image, gets 422 with any name and type', async (t) => {
    const png = fixtureFile('signature.png').content
    const texts = {
      'a text that begins like a bitmap': 'BMW order list',
      'a text that begins like a GIF': 'GIF89a is a format of images',
      'an SVG inside an HTML page': '<html><svg/></html>',
      'an SVG inside an open comment': '<!-- <svg/>',
      'an HTML document type': '<!DOCTYPE html><body/>',
      'a cut-off GIF header': 'GI',
      'a video': '\0\0\0\x18ftypisom\0\0\0\0isommp42',
      'a PNG after a letter': `x${Buffer.from(png).toString('latin1')}`,
    }
    const others = Object.entries(texts).map(([label, text]) => fileOf(Buffer.from(text, 'latin1'), label))
    for (const file of [fixtureFile('not-an-image.png'), ...others])
      t.match(await upload({ ...file, filename: 'a.png', type: 'image/png' }), { status: 422 }, file.filename)
    const nameless = { body: { error: { message: /'file' is not an image/ } } }
    t.match(await upload(fileOf('GI', '')), nameless, 'a file without a name')
    t.match(await upload(fileOf('')), { body: { error: { code: 422, message: "'file' is empty" } } }, 'an empty file')
  })
})
