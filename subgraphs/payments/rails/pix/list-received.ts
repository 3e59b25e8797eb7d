import { protocolError, ProviderError } from '../../../../kernel/provider-error.js'
import { jsonReader } from '../json-reader.js'
import type { ListedPayment, ReceivedWindow } from '../processor-adapter.js'
import { rowReader, type RowReader } from '../row-reader.js'
import type { PixClient } from './client.js'
import { readPix } from './wire.js'

const { listOf, objectOf } = jsonReader('pix')

const DAY_MS = 24 * 3_600_000
/** Windows share their ends: a provider may leave out what is below a second, of its times or of ours. */
const SHARED_MS = 1_000
/** Providers bound the time and the size of a page themselves; a day and a hundred are below every bound that is known. */
const PAGE_SIZE = 100
/** A list may grow while its pages are read, which moves them; it is begun again so often. */
const STARTS_MAX = 5

/**
 * The Pix that were received in a time, a day at a time (`GET /pix`, API Pix 2.9.0). There is no list of what changed: refunds are
 * found by the time of their Pix. A day at which the provider fails, as it may at one Pix, hides no other.
 * @throws ProviderError
 */
export async function* listReceived(
  client: PixClient,
  { from, to, isRefundedOnly }: ReceivedWindow,
): AsyncGenerator<ListedPayment> {
  const rows = rowReader(readListed)
  let failure: ProviderError | undefined
  for (let start = from.getTime(); start <= to.getTime(); start += DAY_MS - SHARED_MS) {
    const inicio = new Date(start).toISOString()
    const fim = new Date(Math.min(start + DAY_MS - 1, to.getTime())).toISOString()
    try {
      yield* listDay(client, rows, { inicio, fim, ...(isRefundedOnly && { devolucaoPresente: 'true' }) })
    } catch (error) {
      // After any other the provider is away, or there is no list of any day.
      if (!(error instanceof ProviderError) || error.httpStatus !== 500) throw error
      failure ??= error
    }
  }
  if (failure) throw failure
  rows.end()
}

async function* listDay(
  client: PixClient,
  rows: RowReader<ListedPayment>,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<ListedPayment> {
  let total: number | undefined
  for (let page = 0, starts = 1; ; page += 1) {
    const paging = { 'paginacao.paginaAtual': page, 'paginacao.itensPorPagina': PAGE_SIZE }
    const answer = objectOf(await client.listPix({ ...query, ...paging }))
    const { count, pages } = readPaging(answer)
    if (total !== undefined && count !== total) {
      if (starts >= STARTS_MAX) throw protocolError('pix', 'pix lists another number of Pix on each page')
      ;[starts, page, total] = [starts + 1, -1, undefined]
      continue
    }
    total = count
    for (const pix of listOf(answer['pix'])) {
      const row = rows.read(pix)
      if (row) yield row
    }
    if (page + 1 >= pages) return
  }
}

function readPaging(answer: Readonly<Record<string, unknown>>): { count: number; pages: number } {
  const paging = objectOf(objectOf(answer['parametros'])['paginacao'])
  const [count, pages] = [Number(paging['quantidadeTotalDeItens']), Number(paging['quantidadeDePaginas'])]
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(pages))
    throw protocolError('pix', 'pix sent a list without paging')
  return { count, pages }
}

/** Reads a Pix with the txid of its charge, where it names one. Throws ProviderError `protocol` where it is not one. */
export function readListed(pix: unknown): ListedPayment {
  const txid = objectOf(pix)['txid']
  return { reference: typeof txid === 'string' ? txid : undefined, received: readPix(pix) }
}
