import { PixProblem, type Pix } from './wire.js'

/** The query of `GET /pix` (API Pix 2.9.0, "Consultar Pix recebidos"), as far as the simulator has it. */
export type PixQuery = Readonly<Record<string, string | undefined>>

const PAGE_DEFAULT = 100
const PAGE_MAX = 1000

/**
 * A page of the Pix received in a window of settlement times, both ends included, oldest first.
 * @throws PixProblem where the window or the page is none
 */
export function listPix(all: readonly Pix[], query: PixQuery, show: (pix: Pix) => object): object {
  const inicio = timeOf(query, 'inicio')
  const fim = timeOf(query, 'fim')
  if (fim < inicio) throw invalid('O timestamp representado pelo parâmetro fim é anterior ao inicio.', 'fim')
  if (query['cpf'] !== undefined && query['cnpj'] !== undefined)
    throw invalid('Ambos os parâmetros cpf e cnpj estão preenchidos.', 'cpf')
  const page = countOf(query, 'paginacao.paginaAtual', 0, { min: 0, max: Number.MAX_SAFE_INTEGER })
  const size = countOf(query, 'paginacao.itensPorPagina', PAGE_DEFAULT, { min: 1, max: PAGE_MAX })
  const found = all
    .filter(({ horario }) => Date.parse(horario) >= inicio && Date.parse(horario) <= fim)
    .filter(({ txid }) => query['txid'] === undefined || txid === query['txid'])
    .filter((pix) => isPresent(query, 'txIdPresente', pix.txid !== undefined))
    .filter((pix) => isPresent(query, 'devolucaoPresente', pix.devolucoes.length > 0))
    .sort((left, right) => Date.parse(left.horario) - Date.parse(right.horario))
  const paginacao = {
    paginaAtual: page,
    itensPorPagina: size,
    quantidadeDePaginas: Math.ceil(found.length / size),
    quantidadeTotalDeItens: found.length,
  }
  return {
    parametros: { inicio: query['inicio'], fim: query['fim'], paginacao },
    pix: found.slice(page * size, (page + 1) * size).map(show),
  }
}

function timeOf(query: PixQuery, name: string): number {
  const text = query[name] ?? ''
  const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(time)) throw invalid(`O parâmetro ${name} não respeita o schema.`, name)
  return time
}

function countOf(query: PixQuery, name: string, unset: number, { min, max }: { min: number; max: number }): number {
  const given = query[name]
  if (given === undefined) return unset
  const count = /^\d{1,9}$/.test(given) ? Number(given) : NaN
  if (!(count >= min && count <= max)) throw invalid(`O parâmetro ${name} não respeita o schema.`, name)
  return count
}

function isPresent(query: PixQuery, name: string, is: boolean): boolean {
  const wanted = query[name]
  if (wanted === undefined) return true
  if (wanted !== 'true' && wanted !== 'false') throw invalid(`O parâmetro ${name} não respeita o schema.`, name)
  return is === (wanted === 'true')
}

function invalid(detail: string, property: string): PixProblem {
  return new PixProblem('PixConsultaInvalida', detail, { property })
}
