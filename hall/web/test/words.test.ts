import assert from 'node:assert/strict'
import { test } from 'node:test'
import { board as english } from '../words/lang/en.json'
import { small } from '../src/pages/words.ts'
import { text } from '../src/words.ts'

test('a name does not turn the sentence around it', () => {
  for (const [name, want] of [['Ann', 'Ann wins (x)'], ['王小明', '王小明 wins (x)'], ['\u05d3\u05df', '\u2068\u05d3\u05df\u2069 wins (x)'], ['a\u202eb\u2069', '\u2068ab\u2069 wins (x)']] as const) {
    assert.equal(text(english, 'say.won', { name, why: 'x' }), want)
  }
})

test('small numbers are written as the language does', () => {
  for (const language of ['en', 'cs', 'es', 'zh-Hans', 'zh-Hant']) {
    for (const decimals of [0, 1, 2]) {
      const form = new Intl.NumberFormat(language, { maximumFractionDigits: decimals })
      for (const n of [0, 1, 7, 64, 998, 0.5, 1.5, 2.5, 0.05, 0.25, 12.345, 998.94, -1, -0.5, -3.14, -2.5, 100 / 3]) {
        assert.equal(small(n, decimals, new Intl.NumberFormat(language).format(0.5)), form.format(n), `${language}: ${n} with ${decimals}`)
      }
    }
  }
  assert.equal(small(-0.04, 1, '0.5'), '0')
})
