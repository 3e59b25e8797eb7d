import { expect, it } from 'vitest'
import { ProviderError } from '../../../../kernel/provider-error.js'
import type { PixClient } from './client.js'
import { listReceived } from './list-received.js'

it('lists a time in windows of a day at most that leave nothing out between them, of whatever precision times are', async () => {
  const windows: { inicio: number; fim: number }[] = []
  const listPix = (query: Readonly<Record<string, string | number>>) => {
    windows.push({ inicio: Date.parse(String(query['inicio'])), fim: Date.parse(String(query['fim'])) })
    const paginacao = { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: 1, quantidadeTotalDeItens: 0 }
    return Promise.resolve({ parametros: { paginacao }, pix: [] })
  }
  const [from, to] = [new Date('2026-03-01T12:00:00.000Z'), new Date('2026-03-04T12:00:00.000Z')]
  for await (const one of listReceived({ listPix } as unknown as PixClient, { from, to, isRefundedOnly: false }))
    throw new Error(`nothing came, and ${one.received.id} is listed`)
  expect(windows[0]?.inicio).toBe(from.getTime())
  expect(windows.at(-1)?.fim).toBe(to.getTime())
  for (const [place, { inicio, fim }] of windows.entries()) {
    expect(fim - inicio).toBeLessThan(24 * 3_600_000)
    const next = windows[place + 1]
    if (next) expect(Math.floor(next.inicio / 1000)).toBeLessThanOrEqual(Math.floor(fim / 1000))
  }
})

it('gives every row that can be read, and tells of one that cannot at the end', async () => {
  const pix = (endToEndId: string, valor: unknown) => ({ endToEndId, valor, horario: '2026-03-01T13:00:00.000Z' })
  const listPix = () => {
    const paginacao = { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: 1, quantidadeTotalDeItens: 3 }
    const rows = [pix('E1', '10.00'), pix('E2', { nobody: 'knows' }), pix('E3', '30.00')]
    return Promise.resolve({ parametros: { paginacao }, pix: rows })
  }
  const [from, to] = [new Date('2026-03-01T12:00:00.000Z'), new Date('2026-03-01T14:00:00.000Z')]
  const seen: string[] = []
  const read = async (): Promise<void> => {
    const listed = listReceived({ listPix } as unknown as PixClient, { from, to, isRefundedOnly: false })
    for await (const { received } of listed) seen.push(received.id)
  }
  await expect(read()).rejects.toMatchObject({ kind: 'protocol' })
  expect(seen).toEqual(['E1', 'E3'])
})

it('lists the other days where the provider fails at one, and tells of that at the end; none where it is away', async () => {
  const failed = (httpStatus: number) =>
    new ProviderError({ provider: 'pix', kind: 'unavailable', retryable: true, message: 'failed', httpStatus })
  const window = { from: new Date('2026-03-01T12:00:00.000Z'), to: new Date('2026-03-03T12:00:00.000Z') }
  const read = async (httpStatus: number): Promise<number> => {
    let days = 0
    const listPix = () => {
      days += 1
      if (days === 1) return Promise.reject(failed(httpStatus))
      const paginacao = { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: 1, quantidadeTotalDeItens: 1 }
      const pix = [{ endToEndId: `E${days}`, valor: '10.00', horario: '2026-03-02T13:00:00.000Z' }]
      return Promise.resolve({ parametros: { paginacao }, pix })
    }
    const seen: string[] = []
    const listing = (async () => {
      const listed = listReceived({ listPix } as unknown as PixClient, { ...window, isRefundedOnly: false })
      for await (const { received } of listed) seen.push(received.id)
    })()
    await expect(listing).rejects.toMatchObject({ httpStatus })
    return seen.length
  }
  expect(await read(500)).toBe(2)
  expect(await read(503)).toBe(0)
})
