import t from 'tap'
import { parsePrefer } from '../../src/http/api/prefer-header.js'

t.test('a Prefer header is read to its preferences (RFC 7240)', async (t) => {
  t.same(parsePrefer('code=409'), [['code', '409']])
  t.same(parsePrefer('Code = 409 , delay=1500'), [
    ['code', '409'],
    ['delay', '1500'],
  ])
  t.same(parsePrefer('scenario="a, b"; x=1, respond-async'), [
    ['scenario', 'a, b'],
    ['respond-async', ''],
  ])
  t.same(parsePrefer('scenario="a \\"quoted\\" name"'), [['scenario', 'a "quoted" name']])
  t.same(parsePrefer(', ,'), [])
  for (const broken of ['=409', 'code 409', '"code"=409'])
    t.throws(() => parsePrefer(broken), { code: 'malformed-preference' }, broken)
})
