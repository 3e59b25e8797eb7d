import type { Transaction } from '../../../../kernel/database.js'
import { fromBaseUnits, isPositive, sum } from '../../../../kernel/money.js'
import type { Runtime } from '../../model/runtime.js'
import { isByAddress, receivedAt, type PaymentAddress } from '../../model/payment-address.js'
import type { Rails } from '../../rails/find-rail.js'
import type { AddressReads } from '../../rails/on-chain.js'
import { alertJob } from '../../settlement/alert-job.js'
import type { AddressReference } from '../../store/addresses.js'
import type { Payment } from '../../store/payment.entity.js'
import type { RecordedChange } from '../../store/payment-changes.js'
import type { Stores } from '../../store/stores.js'
import type { ApplyChargeDeps } from '../charges/application.js'
import { endOtherCharge, railOfOtherCharge } from '../charges/end-other-charge.js'
import { settleSplitJob } from '../transfers/transfer-jobs.js'
import { bookHeld, type BookHeldDeps } from './book-held.js'
import { decideDeposits, isPartOver, type Decision } from './decide-deposits.js'
import { hasUnfoundDeposit, type HasUncountedDepositDeps } from './has-deposit.js'
import { screenDeposits, type ScreenDepositsDeps } from './screen-deposits.js'

/** What counting deposits needs. */
export type ApplyDepositsDeps = ApplyChargeDeps &
  BookHeldDeps &
  HasUncountedDepositDeps &
  Rails &
  ScreenDepositsDeps &
  Pick<AddressReads, 'isWorthSharing'> &
  Pick<Runtime, 'clock'> &
  Pick<Stores, 'addJob' | 'addresses' | 'alerts' | 'payments'>

/**
 * Counts what has come to a payment's address, and moves the payment on: always all of it anew, under the payment's lock, so
 * that it is counted once however often it is looked at.
 * @throws provider_unavailable, provider_timeout where a sender cannot be screened, or a charge that waits cannot be removed;
 *   confirm_rpc_unavailable where the chain cannot be asked whether the rest is on its way
 */
export async function applyDeposits(deps: ApplyDepositsDeps, reference: AddressReference): Promise<void> {
  const { tenantId, paymentId, chainName } = reference
  const before = await deps.payments.find(tenantId, paymentId)
  const found = await deps.addresses.read(reference)
  if (!before || !found) return
  const seen = await screenDeposits(deps, before, found)
  // A charge that waits is removed at its provider first: the money is here.
  const rail = railOfOtherCharge(deps, before, 'crypto')
  if (rail && receivedAt(seen.address, seen.deposits).whole) await endOtherCharge(deps, rail, before)
  const [all = []] = await deps.addresses.ofPayments(tenantId, [paymentId])
  const now = deps.clock.now()
  const isMoreComing = isPartOver(before, seen.address, now) && (await hasUnfoundDeposit(deps, seen.address))
  await deps.payments.change(tenantId, paymentId, async (payment, em) => {
    await deps.addresses.count(em, reference)
    const loaded = await deps.addresses.load(em, reference)
    if (!loaded) return undefined
    const isWorth = (amount: bigint): boolean => deps.isWorthSharing({ ...payment, chainName }, amount)
    const decision = decideDeposits({ payment, ...loaded, now, isWorth, isMoreComing })
    const { change, shareUnder, lookAt, trouble, shared, held } = decision
    if (trouble) await deps.addJob(em, alertJob({ ...trouble, subject: paymentId }))
    await deps.addresses.decided(em, reference, lookAt ?? null, shared ?? loaded.address.shared)
    if (shareUnder !== undefined) await deps.addJob(em, settleSplitJob({ tenantId, paymentId, hash: shareUnder }))
    return held ? hold(deps, em, { payment, address: loaded.address, all, ...held }) : change
  })
}

interface Holding extends NonNullable<Decision['held']> {
  payment: Payment
  address: PaymentAddress
  /** All addresses of the payment. */
  all: readonly AddressReference[]
}

/** Books what is held, once, and says of it on the payment what was not said before. */
async function hold(deps: ApplyDepositsDeps, em: Transaction, holding: Holding): Promise<RecordedChange | undefined> {
  const { payment, all } = holding
  const isPaid = payment.status === 'success'
  const amounts = await bookAllHeld(deps, em, holding)
  const more = isPaid && amounts.length > 0 ? { overpaidAmount: sum([payment.overpaidAmount ?? '0', ...amounts]) } : {}
  const isPaidHere = isPaid && isByAddress(payment)
  const receivedAmount = isPaidHere ? payment.receivedAmount : await receivedAmountOf(deps, em, all)
  if (!('overpaidAmount' in more) && receivedAmount === payment.receivedAmount) return undefined
  return { change: { receivedAmount, ...more }, cause: 'deposit_received', notify: true }
}

/** Several transfers of one transaction are one. Returns the amounts that were not booked before. */
async function bookAllHeld(
  deps: BookHeldDeps,
  em: Transaction,
  { payment, address, deposits, kind }: Holding,
): Promise<string[]> {
  const booked: string[] = []
  for (const [hash, ofHash] of Map.groupBy(deposits, (deposit) => deposit.hash)) {
    const units = ofHash.reduce((total, { amount }) => total + amount, 0n)
    const money = { amount: fromBaseUnits(units, address.decimals), currency: payment.toCurrencySymbol }
    const alert = { kind, subject: payment.id, details: hash }
    const isNew = await bookHeld(deps, em, payment, { chainName: address.chainName, hash, money, alert })
    if (isNew) booked.push(money.amount)
  }
  return booked
}

/** What has come to all addresses of a payment that is paid at none of them. */
async function receivedAmountOf(
  { addresses }: ApplyDepositsDeps,
  em: Transaction,
  all: readonly AddressReference[],
): Promise<string | null> {
  const amounts: string[] = []
  for (const reference of all) {
    const loaded = await addresses.load(em, reference)
    if (loaded) amounts.push(fromBaseUnits(receivedAt(loaded.address, loaded.deposits).total, loaded.address.decimals))
  }
  const received = sum(amounts)
  return isPositive(received) ? received : null
}
