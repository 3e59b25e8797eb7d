import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, print, validate } from 'graphql'
import { prepareOperation, type PreparedOperation } from '../gateway/operation.js'
import { withErrors } from '../gateway/payload-errors.js'
import type { SupergraphExecutor } from '../gateway/supergraph.js'
import type { Logger } from '../kernel/log.js'
import { projectRoot } from '../kernel/root.js'
import type { RequestContext } from '../kernel/subgraph.js'

/** A payment as `payment-page.graphql` reads it. */
export interface ReadPayment {
  id: string
  /** In capitals, as all enums of the graph. */
  status: 'REGISTERED' | 'PENDING' | 'SUCCESS' | 'ERROR' | 'REPROVED'
  /** `order_transaction` where it was registered from an order. */
  executorId: string
  transactionType: string | null
  /** Counts its changes. */
  sequence: number
  updatedAt: string
  /** Null while it is not paid, or where it cannot be told right now. */
  paidAt: string | null
  fromCurrencySymbol: string
  amountFrom: string
  /** What its payer is charged by Pix or card; null where nobody charges, or it cannot be told right now. */
  payerCharge: { amount: string; currency: string; isEstimate: boolean } | null
  toCurrencySymbol: string
  amountTo: string | null
  toChain: string | null
  chainName: string | null
  tidHash: string | null
  signedTransaction: string | null
  challengeUrl: string | null
  globalPaymentData: unknown
  dataError: { code: string } | null
  paymentMethodAllowed: Readonly<Record<'crypto' | 'pixcrypto' | 'cardcrypto' | 'cardfiat', boolean>>
  splitPaymentConfig: readonly { receiverWallet: string; recipientId: string | null; receiverPercent: string }[]
  tenantData: { publicClientId: string } | null
  successUrl: string | null
  cancelUrl: string | null
  /** Null where it is of no subscription, or of one that has ended. */
  subscriptionTerms: {
    planName: string
    interval: 'WEEKLY' | 'MONTHLY' | 'YEARLY'
    amountFrom: string
    charge: boolean
    isFirst: boolean
    trialEndsAt: string | null
  } | null
  quote: { expiresAt: string } | null
  /** What the receivers get of it once it is paid; null before. */
  settledAmount: string | null
  /** What was not taken and goes back; null where it cannot be told right now. */
  returns: readonly { status: string }[] | null
  /** What went back by refunds, and what they are, in the currency that was charged; null where nobody charges. */
  refundedAmount: string
  refundedCurrency: string | null
  /** Null where they cannot be told right now. */
  refunds: readonly { amount: string; status: string }[] | null
  receivedAmount: string
  overpaidAmount: string
  late: boolean
  address: {
    chainName: string
    address: string
    missing: string
    received: string
    link: string | null
    expiresAt: string
  } | null
  instantTransfer: {
    status: string
    pixCopiaECola: string
    calendar: { criacao: string; expiracao: number }
  } | null
  /** As they were when it was registered. */
  orderItems: readonly { name: string; quantity: number; description: string | null; imageUrl: string | null }[] | null
}

/** A payment, and what the deployment says besides. */
export interface ReadPage {
  payment: ReadPayment
  cardTokenEndpoint: string | null
  /** In capitals; null where it cannot be told right now. */
  receiptEmailState: string | null
}

/**
 * The page's document of that name, valid against the API schema.
 * @throws Error where it is not
 */
export function loadDocument({ apiSchema }: SupergraphExecutor, name: string): PreparedOperation {
  const path = join('checkout', 'operations', `${name}.graphql`)
  const written = parse(readFileSync(join(projectRoot, path), 'utf8'))
  const operation = prepareOperation(print(withErrors(written, 'code path')))
  const [problem] = validate(apiSchema, operation.document)
  if (problem) throw new Error(`${path}: ${problem.message}`)
  return operation
}

/**
 * Reads a payment as its tenant; undefined where there is none. One whose order or charge cannot be read right now is shown
 * without it.
 * @throws the graph's error where it cannot be read at all
 */
export function paymentReader(
  supergraph: SupergraphExecutor,
  log: Logger,
): (paymentId: string, context: RequestContext) => Promise<ReadPage | undefined> {
  const operation = loadDocument(supergraph, 'payment-page')
  return async (id, context) => {
    const { data, errors } = await supergraph.execute(operation, { id }, context)
    const payment = data?.['payment'] as ReadPayment | null | undefined
    const [error] = errors ?? []
    if (payment && error) log.warn({ requestId: context.requestId, err: error }, 'the payment page lacks a part')
    if (payment) {
      const textOf = (name: string) => (data?.[name] as string | null | undefined) ?? null
      return {
        payment,
        cardTokenEndpoint: textOf('cardTokenEndpoint'),
        receiptEmailState: textOf('receiptEmailState'),
      }
    }
    if (error && error.extensions['code'] !== 'PAYMENT_NOT_FOUND') throw error
    return undefined
  }
}
