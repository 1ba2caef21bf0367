// A plain reverse proxy of Fastify and undici: what forwarding costs where nothing is looked at.
import Fastify from 'fastify'
import { Agent } from 'undici'
import { report } from './report.mjs'

const { provider: origin } = JSON.parse(process.env.BENCH)
const agent = new Agent()
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade', 'proxy-connection'])

function endToEnd(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))
}

const app = Fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', (_, payload, done) => done(null, payload))
app.all('/*', async ({ method, url: path, headers, body }, reply) => {
  const { host: _, ...sent } = endToEnd(headers)
  const answer = await agent.request({ origin, path, method, headers: sent, body: body ?? null })
  return reply.code(answer.statusCode).headers(endToEnd(answer.headers)).send(answer.body)
})
report(await app.listen({ port: 0, host: '127.0.0.1' }))
