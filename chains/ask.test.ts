import { describe, expect, it } from 'vitest'
import { shortReason } from './ask.js'

describe('the reason of a node', () => {
  it('is its first line, without addresses and without what no database stores', () => {
    expect(shortReason('no answer of https://node.example/key\nat line 1')).toBe('no answer of [url]')
    expect(shortReason('execution reverted: a\0b\u001b[2J\r\u0085c')).toBe('execution reverted: a b [2J c')
  })
})
