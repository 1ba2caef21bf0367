import t from 'tap'
import { startMockServer } from '../../src/index.js'
import { formOf, HISTORIES, UPLOAD } from '../by-hand.js'

const duplex = { duplex: 'half' } as const

/** A body that does not end before whoever sends it is answered. */
function unending(): ReadableStream {
  let left = 200
  return new ReadableStream({
    async pull(controller) {
      await new Promise((later) => setTimeout(later, 5))
      if (left-- > 0) controller.enqueue(new Uint8Array(1_000))
      else controller.close()
    },
  })
}

t.test('whatever fetch does with its body and its signal, mock.fetch does', async (t) => {
  const mock = await startMockServer({ port: 0 })
  t.teardown(() => mock.close())
  const authorization = `Bearer ${mock.token}`
  const plain: typeof mock.fetch = (path, init) => fetch(`${mock.url}${path}`, init)
  for (const [name, call] of Object.entries({ 'mock.fetch': mock.fetch, fetch: plain }))
    await t.test(name, async (t) => {
      const early = await call(UPLOAD, { method: 'POST', body: unending(), ...duplex } as RequestInit)
      t.equal(early.status, 401, 'an upload that never ends is answered')
      await early.body?.cancel()

      const signal = AbortSignal.timeout(50)
      const headers = { authorization, 'content-type': 'multipart/form-data; boundary=x' }
      const given = call(UPLOAD, { method: 'POST', headers, body: unending(), signal, ...duplex } as RequestInit)
      await t.rejects(given, { name: 'TimeoutError' }, 'it is given up while it is sent')

      const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('broken')) })
      const failing = call(UPLOAD, { method: 'POST', headers, body: broken, ...duplex } as RequestInit)
      await t.rejects(failing, { name: 'TypeError' }, 'a body that breaks fails the call')

      const giving = new AbortController()
      const response = await call(HISTORIES, { headers: { authorization }, signal: giving.signal })
      giving.abort()
      await t.rejects(response.text(), { name: 'AbortError' }, 'it is given up before the answer is read')

      const body = formOf({ file: new File([new Uint8Array(20_000_000)], 'large.png') })
      const large = await call(UPLOAD, { method: 'POST', headers: { authorization }, body })
      t.equal(large.status, 422, 'a large body arrives')
    })
})
