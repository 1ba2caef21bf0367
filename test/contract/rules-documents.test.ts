import { readdirSync } from 'node:fs'
import t from 'tap'
import { createSigningLink, uploadSignature, verifyDocument } from '../../schemas/index.js'
import { build, type Changes, fileOf, fixtureFile, messageOf, send } from '../helper.js'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const ADMIN = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'
const MEMBER = '7c2d9e41-6a5b-4f38-8e17-2b9c0d1f3a64'

t.test('a verification', async (t) => {
  const server = await build(t, { clock: '2026-01-15T09:30:00Z' })
  const verify = (file: string | undefined, code: string | undefined, user_uuid = ADMIN) =>
    send(server, verifyDocument, {
      form: { file: file === undefined ? undefined : fixtureFile(file), code, user_uuid },
    })

  t.test('of a genuine document shows its code, its user and the time of the world', async (t) => {
    for (const [file, code] of [['verified.pdf'], ['verified.pdf', 'DOC-2025-0001'], [undefined, 'DOC-2025-0001']]) {
      const document = { code: 'DOC-2025-0001', user_uuid: ADMIN, verified_at: '2026-01-15T09:30:00.000Z' }
      t.match((await verify(file, code)).json(), { status: 'verified', document, message: String })
    }
    t.equal((await verify('verified.pdf', undefined, ADMIN.toUpperCase())).statusCode, 200)
  })

  const stranger = '00000000-0000-4000-8000-000000000000'
  const cases: readonly (readonly [
    file: string | undefined,
    code: string | undefined,
    status: number,
    words: string,
    user?: string,
  ])[] = [
    ['verified.pdf', undefined, 200, 'verified'],
    ['verified.pdf', undefined, 404, "has this file's fingerprint", stranger],
    ['verified-second.pdf', undefined, 200, 'verified'],
    ['verified-second.pdf', 'DOC-2025-0001', 422, "not the document 'DOC-2025-0001'"],
    ['revoked.pdf', undefined, 422, "its status is 'revoked'"],
    ['other-user.pdf', undefined, 404, "has this file's fingerprint"],
    ['other-user.pdf', undefined, 200, 'verified', MEMBER],
    ['other-user.pdf', 'DOC-2025-0001', 422, "not the document 'DOC-2025-0001'"],
    ['tampered.pdf', undefined, 422, "says that it is 'DOC-2025-0001'"],
    ['tampered.pdf', 'DOC-2025-0001', 422, "says that it is 'DOC-2025-0001'"],
    ['unknown.pdf', undefined, 404, "has this file's fingerprint"],
    ['unknown.pdf', 'DOC-2025-0001', 422, "not the document 'DOC-2025-0001'"],
    ['damaged.pdf', undefined, 422, 'is damaged'],
    ['encrypted.pdf', undefined, 422, 'is encrypted'],
    ['not-a-pdf.pdf', undefined, 400, 'is no PDF'],
    ['not-a-pdf.pdf', 'DOC-2025-0001', 400, 'is no PDF'],
    [undefined, 'DOC-2025-0005', 200, 'verified'],
    [undefined, 'DOC-2025-0006', 422, "its status is 'draft'"],
    [undefined, 'DOC-2025-0007', 404, "has the code 'DOC-2025-0007'"],
    [undefined, 'DOC-2025-0007', 200, 'verified', MEMBER],
    [undefined, 'doc-2025-0001', 404, "has the code 'doc-2025-0001'"],
    [undefined, undefined, 400, 'at least one of'],
  ]

  t.test('is 200, 400, 404 or 422 by file, code and user', async (t) => {
    for (const [file, code, status, words, user = ADMIN] of cases) {
      const response = await verify(file, code, user)
      t.equal(response.statusCode, status, `${file ?? 'no file'} with ${code ?? 'no code'} for ${user}`)
      t.match(response.body, words)
    }
  })

  t.test('has been tried with every PDF among the fixtures', async (t) => {
    const shipped = readdirSync(new URL('../../fixtures/files/', import.meta.url)).filter((name) =>
      name.endsWith('.pdf'),
    )
    t.same(new Set(cases.flatMap(([file]) => file ?? [])), new Set(shipped))
  })

  t.test('reads PDFs of every making: one that is in no vault is unknown, not damaged', async (t) => {
    const unknown = Buffer.from(fixtureFile('unknown.pdf').content).toString('latin1')
    const place = unknown.length + '7 0 obj\n(x)\nendobj\n'.length
    const added = `7 0 obj\n(x)\nendobj\nxref\n7 1\n${String(unknown.length).padStart(10, '0')} 00000 n \n`
    const makings = {
      'carriage returns': unknown.replace(/startxref\n(\d+)\n%%EOF\n/, 'startxref\r$1\r%%EOF\r'),
      'an earlier end, as in linearized files': unknown.replace('startxref', 'startxref\n0\n%%EOF\nstartxref'),
      'something before its header': `\n\n${unknown}`,
      'something after its end': `${unknown}\n\0\0\0`,
      'an incremental update': `${unknown}${added}trailer\n<< /Size 8 /Root 1 0 R /Prev 618 >>\nstartxref\n${place}\n%%EOF\n`,
    }
    for (const [making, content] of Object.entries(makings)) {
      const file = fileOf(Buffer.from(content, 'latin1'), 'a.pdf', 'application/pdf')
      const response = await send(server, verifyDocument, { form: { file, code: undefined } })
      t.match([response.statusCode, messageOf(response)], [404, "has this file's fingerprint"], making)
    }
  })

  t.test('tells a PDF by its content, not by its name or type', async (t) => {
    const renamed = { ...fixtureFile('verified.pdf'), filename: 'page.html', type: 'text/html' }
    t.equal((await send(server, verifyDocument, { form: { file: renamed, code: undefined } })).statusCode, 200)
    for (const content of ['', '%PDF-', '%PDF-1.7\n%%EOF', `%PDF-1.7\n${'x'.repeat(5000)}startxref\n9\n%%EOF`]) {
      const { statusCode } = await send(server, verifyDocument, {
        form: { file: fileOf(content, 'a.pdf', 'application/pdf'), code: undefined },
      })
      t.equal(statusCode, content === '' ? 400 : 422, content.slice(0, 20))
    }
  })
})

t.test('a signature', async (t) => {
  const server = await build(t)
  const upload = (file: Changes['form']) => send(server, uploadSignature, { form: file })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  const ns = 'ns_svg "http://www.w3.org/2000/svg"'

  t.test('is any image, told by its content', async (t) => {
    const images = ['signature.png', 'signature.jpg', 'signature.gif', 'signature.webp', 'signature.svg']
    const svgs = [
      svg,
      `\ufeff<?xml version="1.0"?>\n<!-- drawn > by hand -->\n${svg}`,
      `<!DOCTYPE svg [\n<!ENTITY ${ns}>\n]>\n${svg}`,
      '<svg:svg/>',
    ]
    for (const file of [...images.map((name) => fixtureFile(name)), ...svgs.map((text) => fileOf(text, 'a.svg'))]) {
      const response = await upload({ file: { ...file, filename: 'notes.txt', type: 'text/plain' } })
      t.equal(response.statusCode, 200, file.filename)
      t.match(response.json(), { status: 'success', signature_id: UUID })
    }
  })

  t.test('that is empty or no image is refused, whatever its name and type say', async (t) => {
    const png = fixtureFile('signature.png').content
    const texts = [
      '<html><svg/></html>',
      '<!-- <svg/>',
      '<!DOCTYPE html><svg/>'.replace('svg', 'body'),
      'GIF',
      `x${Buffer.from(png)}`,
    ]
    for (const file of [fixtureFile('not-an-image.png'), ...texts.map((text) => fileOf(text))]) {
      const response = await upload({ file: { ...file, filename: 'a.png', type: 'image/png' } })
      t.equal(response.statusCode, 422, Buffer.from(file.content.subarray(0, 20)).toString())
      t.match(messageOf(response), "('a.png') is no image")
    }
    t.match((await upload({ file: fileOf('') })).json(), { error: { code: 422, message: "'file' is empty" } })
  })

  t.test('gets an id of its own, the same in every run', async (t) => {
    const ids = async () => {
      const fresh = await build(t, { seed: 'x' })
      return Promise.all([1, 2, 3].map(async () => (await send(fresh, uploadSignature)).json().signature_id))
    }
    const [first, second] = [await ids(), await ids()]
    t.equal(new Set(first).size, 3)
    t.same(new Set(first), new Set(second))
  })
})

t.test('a signing link', async (t) => {
  const server = await build(t)
  const link = async (email: string, changes: Changes = {}) =>
    (await send(server, createSigningLink, { query: { email }, ...changes })).json()
  const first = await link('grace@example.test')

  t.test('leads to this server, and says for whom it is', async (t) => {
    t.match(first, { project_uuid: createSigningLink.params.properties.uuid.examples[0], email: 'grace@example.test' })
    t.match(first.link, /^http:\/\/localhost:80\/sign\/[0-9a-f-]{36}$/)
    t.match((await link('grace@example.test', { sandbox: 'w1' })).link, /^http:\/\/localhost:80\/~w1\/sign\//)
  })

  t.test('is the same for the same project and e-mail, and another for others', async (t) => {
    t.same(await link('grace@example.test'), first)
    t.same(await link('Grace@Example.TEST', { params: { uuid: first.project_uuid.toUpperCase() } }), first)
    const others = [
      await link('alan@example.test'),
      await link('grace@example.test', { params: { uuid: 'f1c7b9e3-8d42-4a56-9b0e-5c3d7a1f6e28' } }),
    ]
    t.equal(new Set([first, ...others].map((one) => one.link)).size, 3)
  })
})
