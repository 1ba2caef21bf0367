import { connect } from 'node:net'
import t from 'tap'
import { listCreditHistories } from '../../schemas/index.js'
import { until } from '../binary.js'
import { adminOf, build, send } from '../helper.js'
import { HISTORIES, UPLOAD } from '../paths.js'
import { head, listeningServer } from '../wire.js'

t.test('a waiting request is listed with pending=true, and later has its answer', async (t) => {
  const server = await build(t)
  const { call } = adminOf(server)
  const sent = send(server, listCreditHistories, { headers: { prefer: 'delay=400' } })
  const ask = async (query: string) => (await call('GET', `requests?${query}`)).json()
  const waiting = await until(async () => (await ask('pending=true')).requests[0])
  t.match(waiting, { id: 'x1', status: null, duration: null, received: 0, outcome: null, response: null })
  t.match(waiting.url, HISTORIES.split('?')[0])
  t.equal((await ask('')).requests.length, 0, 'it is not listed without pending=true')
  t.match(await ask('pending=true&format=summary'), { requests: [{ id: 'x1', status: null, received: 0 }] })
  t.match((await call('GET', 'requests/x1')).json(), { status: null, elapsed: Number })
  await send(server, listCreditHistories)
  t.match(
    (await ask('pending=true')).requests,
    [
      { id: 'x2', status: 200 },
      { id: 'x1', status: null },
    ],
    'newest first',
  )
  await sent
  const answered = (await ask('pending=true')).requests[1]
  t.match(answered, { id: 'x1', status: 200, outcome: 'listCreditHistories:200' })
  t.match(await ask('since=x2'), { requests: [{ id: 'x1' }], meta: { total: 1 } }, 'it has ended later')
  t.notOk('received' in answered, 'it has no count of bytes any more')
})

t.test('the bytes of a slow upload are counted as they arrive', async (t) => {
  const { port, server } = await listeningServer(t)
  const socket = connect(port, '127.0.0.1')
  const fields = ['Host: x', 'Authorization: Bearer token-admin', 'Content-Type: multipart/form-data; boundary=X']
  socket.write(head(`POST ${UPLOAD} HTTP/1.1`, ...fields, 'Content-Length: 100000'))
  const part = '--X\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
  socket.write(part + 'a'.repeat(1_000))
  const received = async () => (await adminOf(server).call('GET', 'requests?pending=true')).json().requests[0]?.received
  await until(async () => (await received()) === part.length + 1_000)
  socket.write('a'.repeat(5_000))
  await until(async () => (await received()) === part.length + 6_000)
  socket.destroy()
  await until(async () => (await adminOf(server).requests())[0]?.status === null)
  t.equal((await adminOf(server).call('GET', 'requests?pending=true')).json().requests.length, 1, 'it is listed once')
  const copy = await adminOf(server).call('GET', 'requests/x1?format=curl')
  t.match(copy.body, 'The journal did not keep this request in full.')
})

t.test('a request whose body ends after a reset is listed; an aborted one is not', async (t) => {
  const { port, server } = await listeningServer(t)
  const { call, requests } = adminOf(server)
  const [aborted, later] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  for (const socket of [aborted, later])
    socket.write(head(`POST ${UPLOAD} HTTP/1.1`, 'Host: x', 'Content-Type: text/plain', 'Content-Length: 4'))
  await until(async () => (await call('GET', 'requests?pending=true')).json().requests[1])
  await call('POST', 'reset')
  aborted.destroy()
  later.end('text')
  t.match(await until(async () => (await requests())[0]), { id: 'x1', operation: 'uploadSignature', status: 401 })
  t.equal((await requests()).length, 1)
})

t.test('a reset removes pending requests whose body has arrived', async (t) => {
  const server = await build(t)
  const { call } = adminOf(server)
  const sent = send(server, listCreditHistories, { headers: { prefer: 'delay=200' } })
  await until(async () => (await call('GET', 'requests?pending=true')).json().requests[0])
  await call('POST', 'reset')
  t.equal((await call('GET', 'requests?pending=true')).json().requests.length, 0)
  await sent
  t.equal((await call('GET', 'requests?pending=true')).json().requests.length, 0)
})
