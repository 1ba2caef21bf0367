import t from 'tap'
import { codeBlock, codeSpan, escapeMarkdown, proseMarkdown } from '../../src/text/markdown.js'

t.test('a text shows as it is, and nothing in it is markup', async (t) => {
  const texts: readonly (readonly [text: string, markdown: string])[] = [
    ["The field 'user_type' is missing (3.1 %).", "The field 'user_type' is missing (3.1 %)."],
    [
      '`a` **b** ~~c~~ [d](e) a|b $x$ \\',
      '&#96;a&#96; &#42;&#42;b&#42;&#42; &#126;&#126;c&#126;&#126; &#91;d&#93;(e) a&#124;b &#36;x&#36; &#92;',
    ],
    ['_a_ a_b __code', '&#95;a&#95; a_b &#95;&#95;code'],
    ['<script>&amp;', '&#60;script&#62;&#38;amp;'],
    ['ask @octocat about #1, a@b.test', 'ask @<!-- -->octocat about #<!-- -->1, a@<!-- -->b.test'],
    ['see https://a.test, www.b.test', 'see https:<!-- -->//a.test, www.<!-- -->b.test'],
    ['# a', '#<!-- --> a'],
    ['    a', 'a'],
    ['1. a', '1&#46; a'],
    ['- a', '&#45; a'],
    ['two\r\nlines\u001b[2J\u202e', 'two lines &#91;2J'],
  ]
  for (const [text, markdown] of texts) t.equal(escapeMarkdown(text), markdown, JSON.stringify(text))
})

t.test('code survives backticks', async (t) => {
  const spans: readonly (readonly [text: string, markdown: string])[] = [
    ['a|b <c> @d #1', '`a|b <c> @d #1`'],
    ['a`b', '``a`b``'],
    ['`a``', '``` `a`` ```'],
    [' a ', '`  a  `'],
    ['  ', '`  `'],
    ['a\nb', '`a b`'],
  ]
  for (const [text, markdown] of spans) t.equal(codeSpan(text), markdown, JSON.stringify(text))
  t.same(codeBlock('curl x', 'sh'), ['```sh', 'curl x', '```'])
  t.same(codeBlock('a\n````\nb', 'sh'), ['`````sh', 'a', '````', 'b', '`````'])
  t.equal(proseMarkdown('Paths are `/a|b`, in <i>.'), 'Paths are `/a|b`, in &#60;i&#62;.', 'a sentence has code')
  t.equal(proseMarkdown('One ` alone'), 'One &#96; alone', 'one backtick is none')
})
