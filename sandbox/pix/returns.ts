import { newReturnId } from './pix-ids.js'
import { centsOf, PixProblem, type Devolucao, type Pix } from './wire.js'

const RETURN_DAYS_MAX = 90

/** A return that may be made of a Pix, within what is left of it. An id serves once, also for the same again. */
export function newReturn(pix: Pix, { id, body, at }: { id: string; body: unknown; at: Date }): Devolucao {
  const { valor, natureza = 'ORIGINAL' } = (body ?? {}) as { valor?: unknown; natureza?: unknown }
  const refuse = (detail: string, property: string): never => {
    throw new PixProblem('PixDevolucaoInvalida', detail, { property })
  }
  if (!/^[a-zA-Z0-9]{1,35}$/.test(id)) refuse('O campo devolucao.id não respeita o schema.', 'devolucao.id')
  const cents = centsOf(valor)
  if (cents === undefined || cents === 0) refuse('O campo devolucao.valor não respeita o schema.', 'devolucao.valor')
  if (natureza !== 'ORIGINAL') refuse('Um Pix comum só admite a natureza ORIGINAL.', 'devolucao.natureza')
  if (pix.devolucoes.some((one) => one.id === id)) refuse('O campo devolucao.id encontra-se em uso.', 'devolucao.id')
  if ((cents ?? 0) > leftOf(pix)) {
    refuse('A soma das devoluções ultrapassa o valor do Pix.', 'devolucao.valor')
  }
  if (at.getTime() - Date.parse(pix.horario) > RETURN_DAYS_MAX * 86_400_000) {
    refuse('O prazo para a devolução se encerrou.', 'devolucao')
  }
  return {
    id,
    rtrId: newReturnId(at),
    valor: String(valor),
    natureza: 'ORIGINAL',
    horario: { solicitacao: at.toISOString() },
    status: 'EM_PROCESSAMENTO',
  }
}

/** What of a Pix has not been returned, and is not about to be, in cents. */
export function leftOf({ valor, devolucoes }: Pix): number {
  return devolucoes
    .filter(({ status }) => status !== 'NAO_REALIZADO')
    .reduce((left, one) => left - (centsOf(one.valor) ?? 0), centsOf(valor) ?? 0)
}
