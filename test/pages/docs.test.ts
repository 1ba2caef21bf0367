import t from 'tap'
import { build } from '../helper.js'

t.test('the docs page loads files of this server, and has no inline script', async (t) => {
  const { app } = await build(t)
  for (const base of ['/__admin', '/~w-1/__admin']) {
    const { body, headers } = await app.inject(`${base}/docs`)
    t.match(headers['content-security-policy'], /default-src 'none'.*script-src 'self'; connect-src 'self'/)
    t.match(body, 'data-token="token-admin"', 'it has the token of the first user')
    t.notMatch(body, /<style|<script>|\bon\w+=|https?:/, 'no inline style or script, and no other server')
    for (const [, address = ''] of body.matchAll(/(?:src|href)="([^"#][^"]*)"/g))
      if (address !== 'data:,') t.equal((await app.inject(`${base}/${address}`)).statusCode, 200, address)
  }
})
