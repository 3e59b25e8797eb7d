import { centsOf, PixProblem, type Cob } from './wire.js'

/** Seconds that a charge lives where nothing else is said. */
const LIFE_DEFAULT_SECONDS = 86_400

type Json = Record<string, unknown>

/** What a `CobSolicitada` asks for. */
interface CobRequest extends Pick<Cob, 'valor' | 'chave' | 'devedor' | 'solicitacaoPagador' | 'infoAdicionais'> {
  expiracao: number
}

/**
 * Reads the body of `PUT /cob/{txid}` by the rules of CobSolicitada.
 * @param key the only Pix key of the receiver
 * @throws PixProblem naming the property that is wrong
 */
export function readCobRequest(txid: string, body: unknown, key: string): CobRequest {
  if (!/^[a-zA-Z0-9]{26,35}$/.test(txid)) throw invalid('cob.txid', txid)
  const { calendario, valor, ...rest } = objectAt(body, 'cob')
  const expiracao = readLife(calendario, LIFE_DEFAULT_SECONDS)
  return { ...readRest(rest, key), valor: readValor(valor), chave: key, expiracao }
}

/**
 * What the body of `PATCH /cob/{txid}` changes by the rules of CobRevisada; a removal comes alone.
 * @throws PixProblem
 */
export function cobChanges(cob: Cob, body: unknown, key: string): Partial<Cob> {
  const { calendario, valor, status, ...rest } = objectAt(body, 'cob')
  if (status !== undefined) {
    if (status !== 'REMOVIDA_PELO_USUARIO_RECEBEDOR') throw invalid('cob.status', String(status))
    return { status }
  }
  const expiracao = readLife(calendario === undefined ? {} : calendario, cob.calendario.expiracao)
  return {
    ...readRest({ chave: cob.chave, ...rest }, key),
    calendario: { ...cob.calendario, expiracao },
    ...(valor !== undefined && { valor: readValor(valor) }),
  }
}

function readLife(calendario: unknown, unset: number): number {
  const { expiracao = unset } = objectAt(calendario, 'cob.calendario')
  if (typeof expiracao !== 'number' || !Number.isInteger(expiracao) || expiracao <= 0) {
    throw invalid('cob.calendario.expiracao', String(expiracao))
  }
  return expiracao
}

function readValor(given: unknown): Cob['valor'] {
  const valor = objectAt(given, 'cob.valor')
  const { original, modalidadeAlteracao: mode } = valor
  const cents = centsOf(original)
  if (cents === undefined) throw invalid('cob.valor.original', String(original))
  if (cents === 0) {
    const value = String(original)
    throw new PixProblem('CobOperacaoInvalida', 'O objeto cob.valor.original não pode ser 0.00.', {
      property: 'cob.valor.original',
      value,
    })
  }
  if (mode !== undefined && mode !== 0 && mode !== 1) throw invalid('cob.valor.modalidadeAlteracao', String(mode))
  return { original: String(original), ...(mode !== undefined && { modalidadeAlteracao: mode }) }
}

function readRest(rest: Json, key: string): Pick<Cob, 'devedor' | 'solicitacaoPagador' | 'infoAdicionais'> {
  const { chave, devedor, solicitacaoPagador: note, infoAdicionais: more } = rest
  // A key that is not the client's own.
  if (chave !== key) throw invalid('cob.chave', String(chave))
  if (note !== undefined && (typeof note !== 'string' || note.length > 140)) throw invalid('cob.solicitacaoPagador')
  if (more !== undefined && (!Array.isArray(more) || more.length > 50)) throw invalid('cob.infoAdicionais')
  return {
    ...(devedor !== undefined && { devedor: readDebtor(devedor) }),
    ...(note !== undefined && { solicitacaoPagador: note }),
    ...(more !== undefined && { infoAdicionais: more }),
  }
}

function readDebtor(given: unknown): Record<string, string> {
  const { cpf, cnpj, nome } = objectAt(given, 'cob.devedor')
  if ((cpf === undefined) === (cnpj === undefined)) throw invalid('cob.devedor')
  if (cpf !== undefined && !/^\d{11}$/.test(String(cpf))) throw invalid('cob.devedor.cpf')
  if (cnpj !== undefined && !/^[0-9A-Z]{14}$/.test(String(cnpj))) throw invalid('cob.devedor.cnpj')
  if (typeof nome !== 'string' || nome === '' || nome.length > 200) throw invalid('cob.devedor.nome')
  return cpf === undefined ? { cnpj: String(cnpj), nome } : { cpf: String(cpf), nome }
}

function objectAt(value: unknown, property: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(property)
  return value as Json
}

function invalid(property: string, value?: string): PixProblem {
  const detail = `O campo ${property} não respeita o schema.`
  return new PixProblem('CobOperacaoInvalida', detail, { property, ...(value !== undefined && { value }) })
}
