import { expect, it } from 'vitest'
import { readPixCallback } from './callback.js'
import { readPix } from './wire.js'

const endToEndId = `E${'1'.repeat(31)}`
const pix = { endToEndId, valor: '110.00', horario: '2026-03-01T12:00:00.000Z' }
const given = {
  ...{ id: 'MED1', rtrId: `D${'1'.repeat(31)}`, valor: '10.00', natureza: 'MED_FRAUDE', status: 'DEVOLVIDO' },
  horario: { solicitacao: '2026-03-02T12:00:00.000Z' },
}
const eventKey = (devolucoes?: unknown): string | undefined =>
  readPixCallback({ path: 'secret', body: JSON.stringify({ pix: [{ ...pix, devolucoes }] }) }, 'secret')?.[0]?.eventKey

it('a single return is read as the one of a list, as the first example of API Pix has it', () => {
  expect(readPix({ ...pix, devolucoes: given })).toEqual(readPix({ ...pix, devolucoes: [given] }))
  expect(readPix({ ...pix, devolucoes: given }).refunds).toMatchObject([{ id: 'MED1', amount: '10.00', forced: true }])
  expect(readPix({ ...pix, devolucoes: null }).refunds).toEqual([])
})

it('a callback about a single return is news, after one about its Pix', () => {
  expect(eventKey(given)).toBe(eventKey([given]))
  expect(eventKey(given)).not.toBe(eventKey())
})
