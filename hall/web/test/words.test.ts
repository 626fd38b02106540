import assert from 'node:assert/strict'
import { test } from 'node:test'
import { board as english } from '../words/lang/en.json'
import { text } from '../src/words.ts'

test('a name does not turn the sentence around it', () => {
  for (const [name, want] of [['Ann', 'Ann wins (x)'], ['王小明', '王小明 wins (x)'], ['\u05d3\u05df', '\u2068\u05d3\u05df\u2069 wins (x)'], ['a\u202eb\u2069', '\u2068ab\u2069 wins (x)']] as const) {
    assert.equal(text(english, 'say.won', { name, why: 'x' }), want)
  }
})
