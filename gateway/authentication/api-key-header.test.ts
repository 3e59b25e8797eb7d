import { describe, expect, it } from 'vitest'
import { readApiKeyHeader } from './api-key-header.js'

describe('the API key header', () => {
  it('is read when its name is exactly x-api-key', () => {
    expect(readApiKeyHeader(['host', 'a', 'x-api-key', 'sk_test_1'], 'exact')).toEqual({
      kind: 'key',
      key: 'sk_test_1',
    })
  })

  it.each(['X-API-Key', 'X-Api-Key', 'x-API-key'])('is in the wrong form as %s, and says that case counts', (name) => {
    const hint = `your client sent ${name}; the name has to be x-api-key in lower case`
    expect(readApiKeyHeader([name, 'sk_test_1'], 'exact')).toEqual({ kind: 'wrong-form', hint })
  })

  it.each(['Authorization', 'authorization', 'api_key', 'Api_Key'])(
    'is in the wrong form as %s, and says where it belongs',
    (name) => {
      const hint = `your client sent ${name}; the key has to be in x-api-key`
      expect(readApiKeyHeader([name, 'sk_test_1'], 'exact')).toEqual({ kind: 'wrong-form', hint })
    },
  )

  it('counts when it is right, whatever else is sent', () => {
    const headers = ['Authorization', 'Bearer a', 'X-API-Key', 'b', 'x-api-key', 'c', 'api_key', 'd']
    expect(readApiKeyHeader(headers, 'exact')).toEqual({ kind: 'key', key: 'c' })
  })

  it('is accepted in any letter case where the deployment says so, but not under another name', () => {
    expect(readApiKeyHeader(['X-API-Key', 'b'], 'any-case')).toEqual({ kind: 'key', key: 'b' })
    expect(readApiKeyHeader(['Authorization', 'b'], 'any-case')).toMatchObject({ kind: 'wrong-form' })
  })

  it('is absent when nothing like it is sent, also when only a value looks like its name', () => {
    expect(readApiKeyHeader([], 'exact')).toEqual({ kind: 'absent' })
    expect(readApiKeyHeader(['accept', 'x-api-key'], 'exact')).toEqual({ kind: 'absent' })
  })

  it('is no key when it is sent twice', () => {
    const read = readApiKeyHeader(['x-api-key', 'a', 'x-api-key', 'b'], 'exact')
    expect(read).toEqual({ kind: 'key', key: 'a, b' })
  })
})
