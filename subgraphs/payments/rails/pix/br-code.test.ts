import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info'
import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload'
import { describe, expect, it } from 'vitest'
import { brCodeChecksum, buildBrCode, parseBrCode } from './br-code.js'

/** The central bank's own example of a static code, and a dynamic one. */
const STATIC =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D'
const DYNAMIC =
  '00020101021226850014br.gov.bcb.pix2563pix.example.com/qr/v2/cobv/9d36b84f-c70b-478f-b95c-12729b90ca25520400005303986540510.505802BR5916EXAMPLE RECEIVER6009SAO PAULO62070503***63044441'
const LOCATION = 'pix.example.com/qr/v2/9d36b84f-c70b-478f-b95c-12729b90ca25'

describe('a BR Code', () => {
  it('has the checksum of CRC-16/CCITT-FALSE', () => {
    expect(brCodeChecksum('123456789')).toBe('29B1')
  })

  it('is read where its checksum is right', () => {
    expect(parseBrCode(STATIC)?.get('59')).toBe('Fulano de Tal')
    expect(parseBrCode(DYNAMIC)?.get('54')).toBe('10.50')
  })

  it('is not taken with a changed character, cut off, or with something behind it', () => {
    for (const code of [STATIC.replace('Fulano', 'Fulana'), STATIC.slice(0, -1), `${STATIC}0`, '', '0002', 'no code']) {
      expect(parseBrCode(code), code).toBeUndefined()
    }
  })

  it('is built as others build and read it', () => {
    const code = buildBrCode({
      location: LOCATION,
      receiverName: 'Padaria São João & Cia Ltda',
      receiverCity: 'São Paulo',
    })
    expect(getPixPayloadInfo(code)).toMatchObject({
      url: LOCATION,
      merchantName: 'Padaria Sao Joao & Cia Lt',
      merchantCity: 'Sao Paulo',
      pointOfInitiation: 'dynamic',
    })
    expect(code).toBe(
      generatePixPayload({ url: LOCATION, merchantName: 'Padaria Sao Joao & Cia Lt', merchantCity: 'Sao Paulo' }),
    )
    expect(parseBrCode(code)?.get('26')).toContain(LOCATION)
  })
})
