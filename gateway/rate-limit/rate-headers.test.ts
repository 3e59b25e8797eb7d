import { describe, expect, it } from 'vitest'
import { rateHeaders } from './rate-headers.js'

describe('the rate headers', () => {
  it('tell policy, remainder and reset as structured fields', () => {
    expect(rateHeaders({ allowed: true, limit: 600, remaining: 599, resetSeconds: 60 })).toEqual({
      'ratelimit-policy': '"default";q=600;w=60',
      ratelimit: '"default";r=599;t=60',
    })
  })

  it('tell a refused caller when to come back', () => {
    const headers = rateHeaders({ allowed: false, limit: 600, remaining: 0, resetSeconds: 7 })
    expect(headers['retry-after']).toBe('7')
  })

  it('are absent where there is no limit', () => {
    expect(rateHeaders({ allowed: true, limit: 0, remaining: 0, resetSeconds: 0 })).toEqual({})
  })
})
