import t from 'tap'
import { build } from '../helper.js'

t.test('the docs page loads its own files, and has no script in it', async (t) => {
  const { app } = await build(t)
  for (const base of ['/__admin', '/~w-1/__admin']) {
    const { body, headers } = await app.inject(`${base}/docs`)
    t.match(headers['content-security-policy'], /default-src 'none'.*script-src 'self'; connect-src 'self'/)
    t.match(body, 'data-token="token-admin"', 'the token of the first user is there')
    t.notMatch(body, /<style|<script>|\bon\w+=|https?:/, 'all else is loaded')
    for (const [, address = ''] of body.matchAll(/(?:src|href)="([^"#][^"]*)"/g))
      if (address !== 'data:,') t.equal((await app.inject(`${base}/${address}`)).statusCode, 200, address)
  }
})
