import { describe, expect, it } from 'vitest'
import { loadEnv } from './env.js'

const KEY = `0x${'ab'.repeat(32)}`

describe('the environment', () => {
  it('gives the operator and the treasury accounts of their own, in sandbox and live', () => {
    const shared = { OPERATOR_EVM_KEY: KEY, TREASURY_EVM_KEY: KEY.replace('ab', 'AB') }
    const problem = /OPERATOR_EVM_KEY and TREASURY_EVM_KEY are the same key/
    expect(() => loadEnv(shared)).toThrow(problem)
    expect(() => loadEnv({ ...shared, MODE: 'live' })).toThrow(problem)
    const { operatorKey } = loadEnv({ ...shared, TREASURY_EVM_KEY: `0x${'cd'.repeat(32)}` })
    expect(operatorKey).toBe(KEY)
  })
})
