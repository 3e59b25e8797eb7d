import { isReceiver, type Chain } from '../../../../chains/chain.js'
import { minPayout } from '../../../../chains/min-payout.js'
import type { Transaction } from '../../../../kernel/database.js'
import { AppError, validationError } from '../../../../kernel/errors.js'
import { compare, fromBaseUnits } from '../../../../kernel/money.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { REFUNDED } from '../../model/attempt-rules.js'
import { depositGivenBackEntry } from '../../model/ledger-entries.js'
import { isByAddress, isUnderpaid, receivedAt } from '../../model/payment-address.js'
import { paymentFailure } from '../../model/payment-failure.js'
import type { AddressReads } from '../../rails/on-chain.js'
import { newPayout } from '../../settlement/new-payout.js'
import { settleChainJob } from '../../settlement/settlement-jobs.js'
import type { Payment } from '../../store/payment.entity.js'
import type { Stores } from '../../store/stores.js'
import type { RecordedChange } from '../../store/payment-changes.js'
import { holdAboveCap, type HoldAboveCapDeps } from '../charges/hold-payouts.js'
import { findPayment } from '../find-payment.js'
import { assertWalletsAllowed, type ScreenPaymentDeps } from '../risk/assert-wallets-allowed.js'
import { settleSplitJob } from '../transfers/transfer-jobs.js'
import { hasUncountedDeposit, MONEY_CAME, type HasUncountedDepositDeps } from './has-deposit.js'

/** What giving back needs. */
export type GiveBackDeps = HasUncountedDepositDeps &
  HoldAboveCapDeps &
  ScreenPaymentDeps &
  Pick<AddressReads, 'isWorthSharing'> &
  Pick<Stores, 'addJob' | 'addresses' | 'ledger' | 'payments' | 'payouts'> & { clock: { now: () => Date } }

export interface GiveBackInput {
  paymentId: string
  /** Where the payer wants it: what an exchange has sent from is no address that it takes money at. */
  wallet: string
}

/**
 * Gives the payer of an underpaid payment back what came, from what its tenant has set aside for refunds in the token. An
 * address pays its receivers alone, so these get what came. A second time it changes nothing.
 * @throws validation_error, payment_not_found, payment_not_refundable where the payment is not underpaid, or more waits for its
 *   confirmations, wallet_refused,
 *   insufficient_refund_balance, permission_denied, provider_unavailable, provider_timeout
 */
export async function giveBackUnderpayment(
  deps: GiveBackDeps,
  tenant: Tenant,
  { paymentId, wallet }: GiveBackInput,
): Promise<Payment> {
  const found = await findPayment(deps, tenant, { id: paymentId })
  const chain = deps.settings.chains.find(({ name }) => name === found.chainName)
  if (!chain || !isByAddress(found)) throw new AppError('payment_not_refundable')
  const [all = []] = await deps.addresses.ofPayments(tenant.id, [paymentId])
  const isOwn = all.some(({ address }) => address === wallet.toLowerCase())
  if (!isReceiver(chain, wallet) || isOwn) {
    throw validationError([{ field: 'wallet', message: `must be an address on ${chain.name} that can be paid` }])
  }
  await assertWalletsAllowed(deps, found, { payerWallet: wallet, chainName: chain.name })
  if (!isGivenBack(found)) await assertAllIsCounted(deps, found)
  const changed = await deps.payments.change(tenant.id, paymentId, async (payment, em) => {
    await tenant.assertMayStill?.()
    return orderGivingBack(deps, em, { payment, chain, wallet })
  })
  return changed ?? found
}

function isGivenBack({ status, dataError }: Payment): boolean {
  return status === 'error' && dataError?.code === REFUNDED
}

/** What is not counted yet may make it whole, and would be shared out beside what is given back. @throws payment_not_refundable */
async function assertAllIsCounted(deps: HasUncountedDepositDeps, payment: Payment): Promise<void> {
  if (!isUnderpaid(payment)) throw new AppError('payment_not_refundable')
  if (!(await hasUncountedDeposit(deps, payment, { isByAddress: true }))) return
  throw new AppError('payment_not_refundable', { message: MONEY_CAME })
}

interface Order {
  payment: Payment
  chain: Chain
  wallet: string
}

/** Writes down, under the payment's lock, what it costs and what is to be paid to whom. */
async function orderGivingBack(
  deps: GiveBackDeps,
  em: Transaction,
  { payment, chain, wallet }: Order,
): Promise<RecordedChange | undefined> {
  const { tenantId, id: paymentId, toCurrencySymbol: currency } = payment
  if (isGivenBack(payment)) return undefined
  const loaded = await deps.addresses.load(em, { tenantId, paymentId, chainName: chain.name })
  const last = loaded?.deposits.at(-1)
  if (!isUnderpaid(payment) || !loaded || !last) throw new AppError('payment_not_refundable')
  const { address, deposits } = loaded
  // What has come is read under the lock: an operator may have let a deposit count that the payment does not show yet.
  const { total, whole } = receivedAt(address, deposits)
  if (whole || total === 0n) throw new AppError('payment_not_refundable')
  const amount = fromBaseUnits(total, address.decimals)
  assertWorthSending(chain, currency, amount)
  const balance = await deps.ledger.lockRefundBalance(em, { tenantId, currency })
  if (compare(amount, balance) > 0) {
    const details = `${amount} ${currency} are needed, and ${balance} are there`
    throw new AppError('insufficient_refund_balance', { details })
  }
  const now = deps.clock.now()
  await deps.ledger.book(em, { tenantId, paymentId, at: now }, depositGivenBackEntry({ amount, currency }))
  const to = { chainName: chain.name, symbol: payment.toCurrencySymbol, receiver: wallet, amount }
  const payout = newPayout({ tenantId, paymentId, splitIndex: 0, ...to, fiatAmount: '0' }, now)
  await holdAboveCap({ deps, em, payment, now }, [payout])
  deps.payouts.add(em, [payout])
  await deps.addJob(em, settleChainJob(chain.name))
  // What is too little to be shared out stays where it is, and so does what an operator has to decide about.
  const isShared = deps.isWorthSharing(payment, total) && deposits.every(({ verdict }) => verdict !== 'refused')
  if (isShared) {
    await deps.addresses.decided(em, address, null, total)
    await deps.addJob(em, settleSplitJob({ tenantId, paymentId, hash: last.hash }))
  }
  const failure = paymentFailure(REFUNDED, 'What came was given back to the payer.')
  const change = { dataError: failure, tidHash: last.hash, globalPaymentData: { message: failure.message } }
  return { change, cause: 'deposit_given_back', notify: true }
}

/** A transaction of the treasury's costs about as much as the least that is paid out. @throws validation_error */
function assertWorthSending(chain: Chain, symbol: string, amount: string): void {
  const { amount: least } = minPayout(chain, symbol)
  if (compare(amount, least) >= 0) return
  const message = `is too little to be sent back: ${amount} ${symbol} came, and ${least} is the least that is paid out`
  throw validationError([{ field: 'paymentId', message }])
}
