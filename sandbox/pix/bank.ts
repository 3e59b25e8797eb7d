import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload'
import type { Clock } from '../../kernel/clock.js'
import type { Callbacks } from './callbacks.js'
import { cobChanges, readCobRequest } from './cob-request.js'
import { openJournal, type Journal } from './journal.js'
import { newEndToEndId, newReturnId } from './pix-ids.js'
import { leftOf, newReturn } from './returns.js'
import { centsOf, PixProblem, type Cob, type Devolucao, type Pix, type Webhook } from './wire.js'

/** Who receives: the provider's client, as the provider knows it. */
export interface PixAccount {
  key: string
  name: string
  city: string
  cnpj: string
}

export interface PixBankOptions {
  clock: Clock
  account: PixAccount
  callbacks: Callbacks
  /** Where charges and addresses are kept across starts; nowhere where left out. */
  dataDir?: string
}

/** The provider's rules on charges, receipts and returns; all throw a PixProblem where the provider refuses. */
export interface PixBank {
  createCob: (txid: string, body: unknown) => Cob
  findCob: (txid: string) => Cob
  reviseCob: (txid: string, body: unknown) => Cob
  findPix: (endToEndId: string) => Pix
  giveBack: (endToEndId: string, id: string, body: unknown) => Devolucao
  /** What becomes of returns that are asked for from now on, and of those that are held. */
  setReturns: (mode: ReturnMode) => void
  findReturn: (endToEndId: string, id: string) => Devolucao
  webhooks: Journal<Webhook>
  /** Every charge there ever was, with its receipts and returns. */
  list: () => Cob[]
  /** Every Pix that was received. */
  listPix: () => Pix[]
  /** What the payer's side and the network do. */
  pay: (txid: string, request: PayRequest) => Pix
  /** Somebody pays to the receiver's key, without a charge. The receiver is not called back for it. */
  payToKey: (valor?: string) => Pix
  /** The charge whose copy-and-paste code it is, as a bank's app reads it. */
  txidOfCode: (code: unknown) => string
  expire: (txid: string) => Cob
  removeByProvider: (txid: string) => Cob
  /** @param held whether it is not decided yet: `setReturns` settles or refuses it */
  takeBack: (endToEndId: string, request: { valor?: string; held?: boolean }) => Devolucao
  changeTariff: (endToEndId: string, tarifa: string) => Pix
}

/** How a payer pays, and what the provider tells of it beyond what API Pix asks for. */
export interface PayRequest {
  valor?: string
  again?: boolean
  /** When it was settled, RFC 3339; now where it is left out. */
  horario?: string
  /** What the provider takes for it, e.g. "0.99". */
  tarifa?: string
  /** Whose account it came from. */
  pagador?: NonNullable<Pix['pagador']>
}

/** Payers' banks would fetch charges there; the simulator plays them itself. */
const LOCATION_HOST = 'pix.sandbox.example'
/** A return is settled a moment after it was asked for. */
const SETTLE_MS = 100

export const RETURN_MODES = ['settle', 'refuse', 'hold'] as const
/** `settle`: a moment after they were asked for; `refuse`: NAO_REALIZADO then; `hold`: they stay in process. */
export type ReturnMode = (typeof RETURN_MODES)[number]

/** What the provider keeps, and the ways into it. */
interface Books {
  cobs: Journal<Cob>
  /** What came to the key without a charge, by its end-to-end id. */
  loose: Journal<Pix>
  webhooks: Journal<Webhook>
  findCob: (txid: string) => Cob
  find: (endToEndId: string) => { cob: Cob | undefined; pix: Pix }
  save: (cob: Cob) => Cob
  /** Keeps a charge that got money, or gave some back, and tells the receiver of it. */
  keep: (cob: Cob | undefined, pix: Pix) => void
  saveAndTell: (cob: Cob | undefined, pix: Pix) => void
}

/** Opens the bank with the charges and addresses that its folder remembers; what changes is told by `callbacks`. */
export function createPixBank(options: PixBankOptions): PixBank {
  const books = openBooks(options)
  const list = (): Cob[] => [...books.cobs.values.values()]
  const listPix = (): Pix[] => [...list().flatMap(({ pix }) => pix), ...books.loose.values.values()]
  return { webhooks: books.webhooks, list, listPix, ...receiverSide(options, books), ...payerSide(options, books) }
}

function openBooks({ callbacks, dataDir }: PixBankOptions): Books {
  const fileOf = (name: string): string | undefined => dataDir && join(dataDir, name)
  const cobs = openJournal<Cob>(fileOf('pix-cobs.jsonl'))
  const loose = openJournal<Pix>(fileOf('pix-loose.jsonl'))
  const webhooks = openJournal<Webhook>(fileOf('pix-webhooks.jsonl'))
  const txidOf = new Map([...cobs.values.values()].flatMap(({ txid, pix }) => pix.map((one) => [one.endToEndId, txid])))
  const save = (cob: Cob): Cob => {
    for (const { endToEndId } of cob.pix) txidOf.set(endToEndId, cob.txid)
    cobs.put(cob.txid, cob)
    return cob
  }
  const keep = (cob: Cob | undefined, pix: Pix): void => void (cob ? save(cob) : loose.put(pix.endToEndId, pix))
  return {
    cobs,
    loose,
    keep,
    webhooks,
    save,
    findCob: (txid) => {
      const cob = cobs.values.get(txid)
      if (!cob) throw new PixProblem('CobNaoEncontrado', 'Cobrança não encontrada para o txid informado.')
      return cob
    },
    find: (endToEndId) => {
      const cob = cobs.values.get(txidOf.get(endToEndId) ?? '')
      const pix = cob?.pix.find((one) => one.endToEndId === endToEndId) ?? loose.values.get(endToEndId)
      if (!pix) throw new PixProblem('PixNaoEncontrado', 'Pix não encontrado para o e2eid informado.')
      return { cob, pix }
    },
    saveAndTell: (cob, pix) => {
      keep(cob, pix)
      // A callback is about a Pix with a txid.
      if (!cob) return
      const webhook = webhooks.values.get(pix.chave)
      if (webhook) callbacks.send(webhook.webhookUrl, structuredClone(pix))
    },
  }
}

type ReceiverSide = Pick<
  PixBank,
  'createCob' | 'findCob' | 'reviseCob' | 'findPix' | 'giveBack' | 'findReturn' | 'setReturns'
>

/** What the provider's client may do. */
function receiverSide(options: PixBankOptions, books: Books): ReceiverSide {
  const { clock, account } = options
  const { cobs, findCob, find, save, keep } = books
  let mode: ReturnMode = 'settle'
  const settle = (endToEndId: string, id: string): void => {
    const { cob, pix } = find(endToEndId)
    const given = pix.devolucoes.find((one) => one.id === id)
    if (given?.status !== 'EM_PROCESSAMENTO' || mode === 'hold') return
    given.status = mode === 'refuse' ? 'NAO_REALIZADO' : 'DEVOLVIDO'
    if (mode === 'refuse') given.motivo = 'Saldo insuficiente.'
    else given.horario.liquidacao = clock.now().toISOString()
    books.saveAndTell(cob, pix)
  }
  return {
    findCob,
    createCob: (txid, body) => {
      const request = readCobRequest(txid, body, account.key)
      if (cobs.values.has(txid)) {
        throw new PixProblem('CobOperacaoInvalida', 'O campo cob.txid encontra-se em uso.', { property: 'cob.txid' })
      }
      return save(newCob(options, txid, request, cobs.values.size + 1))
    },
    reviseCob: (txid, body) => {
      const cob = findCob(txid)
      if (cob.status !== 'ATIVA') throw new PixProblem('CobOperacaoInvalida', 'A cobrança não está ATIVA.')
      return save({ ...cob, ...cobChanges(cob, body, account.key), revisao: cob.revisao + 1 })
    },
    findPix: (endToEndId) => find(endToEndId).pix,
    giveBack: (endToEndId, id, body) => {
      const { cob, pix } = find(endToEndId)
      const given = newReturn(pix, { id, body, at: clock.now() })
      pix.devolucoes.push(given)
      keep(cob, pix)
      setTimeout(settle, SETTLE_MS, endToEndId, id).unref()
      return given
    },
    setReturns: (next) => {
      mode = next
      for (const { pix } of cobs.values.values()) {
        for (const { endToEndId, devolucoes } of pix) for (const { id } of devolucoes) settle(endToEndId, id)
      }
    },
    findReturn: (endToEndId, id) => {
      const given = find(endToEndId).pix.devolucoes.find((one) => one.id === id)
      if (!given) throw new PixProblem('PixDevolucaoNaoEncontrada', 'Devolução não encontrada.')
      // One that a stop of the simulator left unsettled is settled when it is asked for.
      if (clock.now().getTime() - Date.parse(given.horario.solicitacao) > SETTLE_MS) settle(endToEndId, id)
      return given
    },
  }
}

type PayerSide = Pick<
  PixBank,
  'pay' | 'payToKey' | 'txidOfCode' | 'expire' | 'removeByProvider' | 'takeBack' | 'changeTariff'
>

/** What payers, the provider itself and the network do. */
function payerSide({ clock, account }: PixBankOptions, books: Books): PayerSide {
  const { cobs, findCob, find, save, saveAndTell } = books
  const now = (): string => clock.now().toISOString()
  return {
    pay: (txid, { valor, again = false, horario = now(), tarifa, pagador }) => {
      const cob = findCob(txid)
      if (cob.status === 'CONCLUIDA' && !again) throw new PixProblem('CobOperacaoInvalida', 'A cobrança já foi paga.')
      const endToEndId = newEndToEndId(clock.now())
      const amount = valor ?? cob.valor.original
      const pix: Pix = {
        ...{ endToEndId, txid, valor: amount, chave: cob.chave, horario, devolucoes: [] },
        ...(pagador && { pagador }),
        ...(tarifa !== undefined && { gnExtras: { tarifa } }),
      }
      cob.pix.push(pix)
      // Money that was on its way when the charge was removed comes all the same.
      if (cob.status === 'ATIVA') cob.status = 'CONCLUIDA'
      saveAndTell(cob, pix)
      return pix
    },
    payToKey: (valor = '10.00') => {
      const endToEndId = newEndToEndId(clock.now())
      const pix: Pix = { endToEndId, valor, chave: account.key, horario: now(), devolucoes: [] }
      books.loose.put(endToEndId, pix)
      return pix
    },
    txidOfCode: (code) => {
      const text = typeof code === 'string' ? code.trim() : ''
      // A code that the receiver made of the charge's address has other words in it than the provider's.
      const cob = [...cobs.values.values()].find((one) => text === one.pixCopiaECola || text.includes(one.location))
      if (!cob) throw new PixProblem('CobNaoEncontrado', 'Cobrança não encontrada para o código informado.')
      return cob.txid
    },
    expire: (txid) => {
      const cob = findCob(txid)
      const ageSeconds = Math.floor((clock.now().getTime() - Date.parse(cob.calendario.criacao)) / 1000)
      cob.calendario.expiracao = Math.min(cob.calendario.expiracao, ageSeconds)
      return save(cob)
    },
    removeByProvider: (txid) => save({ ...findCob(txid), status: 'REMOVIDA_PELO_PSP' }),
    changeTariff: (endToEndId, tarifa) => {
      const { cob, pix } = find(endToEndId)
      pix.gnExtras = { tarifa }
      books.keep(cob, pix)
      return pix
    },
    takeBack: (endToEndId, { valor, held = false }) => {
      const { cob, pix } = find(endToEndId)
      const left = leftOf(pix)
      const amount = valor ?? `${Math.floor(left / 100)}.${String(left % 100).padStart(2, '0')}`
      if (left === 0 || (centsOf(amount) ?? 0) > left) {
        throw new PixProblem('PixDevolucaoInvalida', 'A soma das devoluções ultrapassa o valor do Pix.')
      }
      const given: Devolucao = {
        id: `med${randomUUID().replaceAll('-', '').slice(0, 20)}`,
        rtrId: newReturnId(clock.now()),
        valor: amount,
        natureza: 'MED_FRAUDE',
        horario: { solicitacao: now(), ...(!held && { liquidacao: now() }) },
        status: held ? 'EM_PROCESSAMENTO' : 'DEVOLVIDO',
      }
      pix.devolucoes.push(given)
      saveAndTell(cob, pix)
      return given
    },
  }
}

function newCob(
  { clock, account }: PixBankOptions,
  txid: string,
  request: Pick<Cob, 'valor' | 'chave'> & { expiracao: number },
  id: number,
): Cob {
  const { expiracao, ...rest } = request
  const criacao = clock.now().toISOString()
  const location = `${LOCATION_HOST}/qr/v2/${randomUUID()}`
  const code = generatePixPayload({ url: location, merchantName: account.name, merchantCity: account.city })
  if (code === null) throw new Error('no BR Code can be made')
  return {
    ...rest,
    txid,
    revisao: 0,
    calendario: { criacao, expiracao },
    loc: { id, txid, location, tipoCob: 'cob', criacao },
    location,
    status: 'ATIVA',
    pixCopiaECola: code,
    pix: [],
  }
}
