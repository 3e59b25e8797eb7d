import { isAmount, isPositive } from '../../../../kernel/money.js'
import type { ChargeView, ReceivedPayment, Refund, StoredPayer } from '../../model/charge.js'
import { jsonReader, type Json } from '../json-reader.js'
import { maskTaxId, readTaxId, type TaxId } from '../tax-id.js'
import { buildBrCode, parseBrCode } from './br-code.js'

const { dateOf, listOf, objectOf, refuse: notPix, textOf } = jsonReader('pix')

/** The statuses of a charge in the API Pix. None of them is "expired": that is for us to compute. */
type CobStatus = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP'

const STATUS_OF: Readonly<Record<CobStatus, ChargeView['status']>> = {
  ATIVA: 'open',
  CONCLUIDA: 'paid',
  REMOVIDA_PELO_PSP: 'refused',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'cancelled',
}

/** How far a return is, by the words of the API Pix. */
export const REFUND_STATUS_OF: Readonly<Record<string, Refund['status'] | undefined>> = {
  EM_PROCESSAMENTO: 'processing',
  DEVOLVIDO: 'done',
  NAO_REALIZADO: 'refused',
}

/** Gives the hash by which equal tax ids are found. */
export type HashPayer = (taxId: TaxId) => string

/** Who receives, for codes that we build where the provider sends none. */
export interface PixReceiver {
  name: string
  city: string
}

/** What is kept of a Pix charge. */
export interface PixChargeData extends Record<string, string | number | null> {
  status: string
  txid: string
  pix_key: string
  amount: string
  created_at: string
  expires_in_seconds: number
  pix_copia_e_cola: string
}

/**
 * Reads a `CobGerada` or `CobCompleta` (API Pix 2.9.0).
 * @param hashPayer gives the hash of a payer's tax id
 * @throws ProviderError `protocol` where it is not one, or its BR Code's checksum is wrong
 */
export function readCob(body: unknown, receiver: PixReceiver, hashPayer?: HashPayer): ChargeView {
  const cob = objectOf(body)
  const calendar = objectOf(cob['calendario'])
  const status = textOf(cob['status'])
  if (!Object.hasOwn(STATUS_OF, status)) throw notPix('an unknown charge status')
  const createdAt = dateOf(calendar['criacao'])
  const lifeSeconds = calendar['expiracao']
  if (typeof lifeSeconds !== 'number') throw notPix('a charge without an expiry')
  const data: PixChargeData = {
    status,
    txid: textOf(cob['txid']),
    pix_key: textOf(cob['chave']),
    amount: amountOf(objectOf(cob['valor'])['original']),
    created_at: createdAt.toISOString(),
    expires_in_seconds: lifeSeconds,
    pix_copia_e_cola: copyPasteOf(cob, receiver),
  }
  const receivedPayments = cob['pix'] === undefined ? [] : listOf(cob['pix']).map((pix) => readPix(pix, hashPayer))
  return {
    status: STATUS_OF[status as CobStatus],
    providerStatus: status,
    expiresAt: new Date(createdAt.getTime() + lifeSeconds * 1000),
    data,
    payer: debtorOf(cob['devedor'], hashPayer),
    receivedPayments,
  }
}

/** Reads a `Pix`: money received. Throws ProviderError `protocol`. */
export function readPix(body: unknown, hashPayer?: HashPayer): ReceivedPayment {
  const pix = objectOf(body)
  return {
    id: textOf(pix['endToEndId']),
    amount: amountOf(pix['valor']),
    at: dateOf(pix['horario']),
    payerHash: payerHashOf(pix['pagador'], hashPayer),
    fee: tariffOf(pix),
    refunds: returnsOf(pix['devolucoes']).map(readRefund),
  }
}

/** The returns of a Pix: a list by the schema of API Pix, and a single one by its first example of a callback. */
export function returnsOf(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return []
  return Array.isArray(given) ? given : [given]
}

/** Whom a charge was made for, where the provider shows that and does not mask the number. */
function debtorOf(debtor: unknown, hashPayer: HashPayer | undefined): StoredPayer | undefined {
  const taxId = taxIdOf(debtor)
  return taxId && hashPayer && { masked: maskTaxId(taxId), hash: hashPayer(taxId) }
}

/** The payer, where the provider names one and does not mask the number. */
function payerHashOf(payer: unknown, hashPayer: HashPayer | undefined): string | undefined {
  const taxId = taxIdOf(payer)
  return taxId && hashPayer?.(taxId)
}

function taxIdOf(person: unknown): TaxId | undefined {
  if (typeof person !== 'object' || person === null) return undefined
  const { cpf, cnpj } = person as Json
  return readTaxId(typeof cpf === 'string' ? cpf : typeof cnpj === 'string' ? cnpj : '')
}

/** The tariff, in the extra field of those providers that send one: API Pix has none of its own. */
function tariffOf(pix: Json): string | undefined {
  const extras = pix['gnExtras']
  const tariff = typeof extras === 'object' && extras !== null ? (extras as Json)['tarifa'] : undefined
  return isAmount(tariff) ? tariff : undefined
}

/** Reads a `Devolucao`. Those of the special return mechanism (`MED_…`) come without our asking. Throws ProviderError `protocol`. */
export function readRefund(body: unknown): Refund {
  const given = objectOf(body)
  const status = REFUND_STATUS_OF[textOf(given['status'])]
  if (!status) throw notPix('an unknown status of a return')
  const reason = given['natureza'] === undefined ? 'ORIGINAL' : textOf(given['natureza'])
  return {
    id: textOf(given['id']),
    amount: amountOf(given['valor']),
    status,
    forced: reason.startsWith('MED'),
    reason,
  }
}

/** The provider's code where it sends one; otherwise built from the charge's location. */
function copyPasteOf(cob: Json, receiver: PixReceiver): string {
  const given = cob['pixCopiaECola']
  if (typeof given === 'string' && given !== '') {
    if (!parseBrCode(given)) throw notPix('a BR Code whose checksum is wrong')
    return given
  }
  const location = cob['location'] ?? objectOf(cob['loc'] ?? {})['location']
  return buildBrCode({ location: textOf(location), receiverName: receiver.name, receiverCity: receiver.city })
}

function amountOf(value: unknown): string {
  if (!isAmount(value) || !isPositive(value)) throw notPix('an amount that is none')
  return value
}
