import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashTaxId, maskTaxId, readTaxId } from './tax-id.js'
import { isTxid, txidOf } from './pix/txid.js'

describe('a tax id', () => {
  it.each([
    ['529.982.247-25', 'cpf', '52998224725'],
    ['52998224725', 'cpf', '52998224725'],
    ['12ABC34501DE35', 'cnpj', '12ABC34501DE35'],
    ['12.abc.345/01de-35', 'cnpj', '12ABC34501DE35'],
    ['11.222.333/0001-81', 'cnpj', '11222333000181'],
    ['A1B2C3D4000193', 'cnpj', 'A1B2C3D4000193'],
  ])('%s is a %s', (text, kind, value) => {
    expect(readTaxId(text)).toEqual({ kind, value })
  })

  it.each([
    '',
    '52998224724',
    '00000000000',
    '111.111.111-11',
    '11222333000182',
    'AAAAAAAAAAAAAA',
    '12ABC34501DE3X',
    '5299822472',
    'x52998224725',
  ])('%s is none', (text) => {
    expect(readTaxId(text)).toBeUndefined()
  })

  it('is masked so that it cannot be guessed back, and hashed so that it can be found again', () => {
    const taxId = readTaxId('123.456.789-09')
    if (!taxId) throw new Error('it is one')
    expect(maskTaxId(taxId)).toBe('***.456.789-**')
    const key = randomBytes(32)
    expect(hashTaxId(taxId, key)).toBe(hashTaxId(taxId, key))
    expect(hashTaxId(taxId, key)).not.toBe(hashTaxId(taxId, randomBytes(32)))
    expect(hashTaxId(taxId, key)).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('a txid', () => {
  it('follows from the payment and the attempt, and has the form that providers take', () => {
    const id = 'cmwpo5rcfg3nnzd8nhuob47i4'
    expect(txidOf(id, 1)).toBe(`${id}001`)
    expect(txidOf(id, 36)).toBe(`${id}010`)
    expect(isTxid(txidOf(id, 46_655))).toBe(true)
    for (const attempt of [0, -1, 1.5, 46_656]) expect(() => txidOf(id, attempt)).toThrow(RangeError)
    expect(() => txidOf('short', 1)).toThrow(RangeError)
    expect(isTxid(`${'a'.repeat(26)}!`)).toBe(false)
  })
})
