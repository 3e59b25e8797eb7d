import type { Transaction } from '../../../../kernel/database.js'
import { AppError, validationError } from '../../../../kernel/errors.js'
import { firstAnswer, idempotently, idempotentlyAnswered } from '../../../../kernel/idempotency.js'
import { fromBaseUnits, toBaseUnits } from '../../../../kernel/money.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { afterRemoval, assertMayStart, assertNotWornOut } from '../../model/attempt-rules.js'
import { isByAddress, WATCH_MS, type AddressPlace, type PaymentAddress } from '../../model/payment-address.js'
import type { OnChains } from '../../rails/on-chain.js'
import type { Rails } from '../../rails/find-rail.js'
import type { PlacedAddress, WalletRail } from '../../rails/rail.js'
import { alertJob } from '../../settlement/alert-job.js'
import type { AddressRoom } from '../../store/address-room.js'
import type { AddressReference } from '../../store/addresses.js'
import type { Payment, PaymentChange } from '../../store/payment.entity.js'
import type { LimitedPayment } from '../../store/risk.js'
import type { Stores } from '../../store/stores.js'
import type { ApplyChargeDeps } from '../charges/application.js'
import { assertChargeUnpaid, endOtherCharge, railOfOtherCharge } from '../charges/end-other-charge.js'
import { findPayment, findPaymentVersion, type PaymentVersion } from '../find-payment.js'
import { ownAttempts } from '../own-attempts.js'
import { assertWalletsAllowed, type ScreenPaymentDeps } from '../risk/assert-wallets-allowed.js'
import { assertWithinLimits, type LimitDeps } from '../risk/assert-within-limits.js'
import { assertWalletUnused } from '../transfers/end-wallet-attempt.js'
import { watchAddressesJob } from './deposit-jobs.js'
import { assertNothingCame, type HasUncountedDepositDeps } from './has-deposit.js'

/** What opening an address needs. */
export type OpenAddressDeps = ApplyChargeDeps &
  HasUncountedDepositDeps &
  LimitDeps &
  OnChains &
  Rails &
  ScreenPaymentDeps &
  Pick<Stores, 'addJob' | 'addresses' | 'pool' | 'quotes'>

export interface OpenAddressInput {
  paymentId: string
  chainName: string
}

/**
 * Opens a payment's own address on a chain, at a price that is locked for a while: whatever wallet or exchange sends the
 * token there pays the payment. While the price holds, a second request changes nothing. Nobody is asked for another price
 * while something that came at the one before waits for its confirmations.
 * @throws validation_error where the payment cannot be paid so, product_disabled, payment_not_found,
 *   payment_already_processed, wallet_refused, payment_limit_exceeded, confirm_rpc_unavailable,
 *   provider_unavailable, provider_timeout, idempotency_*
 */
export async function openAddress(deps: OpenAddressDeps, tenant: Tenant, input: OpenAddressInput): Promise<Payment> {
  // First, so that a replay is not judged by what the payment has become since.
  const earlier = await firstAnswer<PaymentVersion>(deps.pool, tenant, deps.clock)
  if (earlier) return findPaymentVersion(deps, tenant, earlier)
  const { paymentId, chainName } = input
  const rail = deps.rails.find((candidate) => candidate.kind === 'wallet')
  if (!rail || !tenant.products.includes('crypto')) throw new AppError('product_disabled')
  const found = await findPayment(deps, tenant, { id: paymentId })
  if (!found.paymentMethodAllowed.crypto) {
    throw validationError([{ field: 'paymentId', message: 'the payment does not allow CRYPTO' }])
  }
  if (found.receivedAmount && found.chainName !== chainName) {
    throw validationError([{ field: 'chainName', message: `must be ${found.chainName}, where a part has come` }])
  }
  if (await isOpen(deps, found, chainName)) {
    const { sequence } = found
    return findPaymentVersion(
      deps,
      tenant,
      await idempotentlyAnswered(deps, tenant, () => Promise.resolve({ paymentId, sequence })),
    )
  }
  const otherRail = railOfOtherCharge(deps, found, 'crypto')
  const ours = await ownAttempts(deps, found)
  if (otherRail) await assertMayReplaceCharge(deps, found, ours)
  else assertMayOpen(found, ours)
  await assertWalletUnused(deps, found)
  await assertNothingCame(deps, found, { isByAddress: true })
  await assertWalletsAllowed(deps, found, { chainName })
  const countUse = () => assertWithinLimits(deps, found, { payerEmail: found.payerEmail ?? null })
  // Whatever refuses the address does so before the charge that the payer has is removed for it. It is counted again when it is
  // opened: with its charge removed the payment has failed, and others may have taken its room.
  if (otherRail) {
    const { watchedMax } = await rail.placeAddress(found, chainName)
    const room = { now: deps.clock.now(), most: watchedMax }
    if (!(await deps.addresses.hasRoom({ tenantId: tenant.id, paymentId, chainName }, room))) throw tooManyWatched(room)
    await countUse()
  }
  const payment = otherRail ? await endOtherCharge(deps, otherRail, found) : found
  assertMayOpen(payment, ours)
  const opening = { payment, looked: found, chainName, countUse, ours }
  const opened = await idempotently<PaymentVersion>(deps, tenant, (complete) =>
    write(deps, rail, { ...opening, complete }),
  )
  return findPaymentVersion(deps, tenant, opened)
}

interface Opening {
  payment: Payment
  /** As it was when the chain was asked about its wallet's transaction. */
  looked: Payment
  chainName: string
  /** How often we have tried to charge the payment by ourselves. */
  ours: number
  /** Counts the payment against its tenant's limits. */
  countUse: () => Promise<LimitedPayment | undefined>
  /** Writes the answer of the idempotency key down. */
  complete: Parameters<Parameters<typeof idempotently<PaymentVersion>>[2]>[0]
}

async function write(
  deps: OpenAddressDeps,
  rail: WalletRail,
  { payment, looked, chainName, countUse, complete, ours }: Opening,
): Promise<PaymentVersion> {
  const { tenantId, id: paymentId } = payment
  const placed = await rail.placeAddress(payment, chainName)
  // An address that is refused by then counts against no limit.
  const counted = await countUse()
  const { place, quote, watchedMax } = placed
  const due = toBaseUnits(quote.amountTo, place.decimals)
  const tolerancePercent = await deps.addresses.tolerance(tenantId)
  const watchUntil = new Date(quote.createdAt.getTime() + WATCH_MS)
  const address = {
    tenantId,
    paymentId,
    chainName,
    ...place,
    due,
    tolerancePercent,
    expiresAt: quote.expiresAt,
    watchUntil,
  }
  const changed = await deps.payments.change(tenantId, paymentId, async (locked, em) => {
    const known = await deps.addresses.loadLocked(em, address)
    // Another request has opened it meanwhile, and its payer was told that price.
    if (known && isOpenAt(locked, known.address, deps.clock.now())) {
      await complete(em, { paymentId, sequence: locked.sequence })
      return undefined
    }
    assertMayOpen(locked, ours)
    assertSameWallet(locked, looked)
    if (counted) await deps.risk.use(em, counted, deps.clock.now())
    deps.quotes.add(em, quote)
    const room = { now: deps.clock.now(), most: watchedMax }
    if (!(await deps.addresses.makeRoom(em, address, room))) throw tooManyWatched(room)
    if (!known) await tellWhatLaid(deps, em, payment, address)
    await deps.addresses.open(em, address)
    for (const scope of ['open', 'all'] as const) await deps.addJob(em, watchAddressesJob({ chainName, scope }))
    await complete(em, { paymentId, sequence: locked.sequence + 1 })
    const change = openingChange(chainName, locked, placed)
    return { change, cause: 'address_opened', notify: locked.status !== 'pending' }
  })
  if (!changed) throw new AppError('payment_not_found')
  return { paymentId, sequence: changed.sequence }
}

/** Something that was sent before its payer was told of the address pays nothing by itself: an operator looks into it. */
async function tellWhatLaid(
  deps: OpenAddressDeps,
  em: Transaction,
  { id, toCurrencySymbol }: Payment,
  address: AddressReference & AddressPlace,
): Promise<void> {
  if (address.laidBefore === 0n) return
  const laid = `${fromBaseUnits(address.laidBefore, address.decimals)} ${toCurrencySymbol}`
  const details = `${laid} lay at ${address.address} on ${address.chainName} before it was opened`
  await deps.addJob(em, alertJob({ kind: 'deposit_unexpected', subject: id, details }))
}

/** Refuses before a charge is removed for the address what would be refused after it. */
async function assertMayReplaceCharge(deps: OpenAddressDeps, payment: Payment, ours: number): Promise<void> {
  await assertChargeUnpaid(deps, payment)
  assertNotWornOut(afterRemoval(payment), ours)
}

/** What has come before counts: only the rest is asked for. */
function assertMayOpen(payment: Payment, ours: number): void {
  assertMayStart({ ...payment, receivedAmount: null }, 'crypto')
  assertNotWornOut(payment, ours)
  if (payment.tidHash && isByAddress(payment)) throw new AppError('payment_already_processed')
}

/** Of a transaction that was built since the chain was asked, nobody knows whether its wallet has sent it. */
function assertSameWallet({ unsignedTransaction, quoteId }: Payment, looked: Payment): void {
  if (!unsignedTransaction || quoteId === looked.quoteId) return
  throw new AppError('payment_already_processed', { message: 'A wallet was asked to pay meanwhile; ask again.' })
}

function tooManyWatched({ most }: AddressRoom): AppError {
  return new AppError('payment_limit_exceeded', {
    message: 'As many addresses of the account as may be are watched, none of them for a day yet; try again later.',
    details: `addresses that are watched: ${most}`,
  })
}

async function isOpen(
  { addresses, clock }: Pick<OpenAddressDeps, 'addresses' | 'clock'>,
  payment: Payment,
  chainName: string,
): Promise<boolean> {
  if (payment.status !== 'pending') return false
  const [all = []] = await addresses.ofPayments(payment.tenantId, [payment.id])
  return all.some((address) => address.chainName === chainName && isOpenAt(payment, address, clock.now()))
}

/** Whether a payment waits at an address, at a price that holds. */
function isOpenAt(payment: Payment, { chainName, expiresAt }: PaymentAddress, now: Date): boolean {
  return payment.status === 'pending' && isByAddress(payment) && payment.chainName === chainName && expiresAt > now
}

function openingChange(
  chainName: string,
  { toCurrencySymbol }: Payment,
  { place, quote }: PlacedAddress,
): PaymentChange {
  return {
    status: 'pending',
    transactionType: 'crypto',
    payerWallet: null,
    payerCpf: null,
    chainName,
    splitVersion: place.splitVersion,
    payerTokenSymbol: toCurrencySymbol,
    amountTo: quote.amountTo,
    quoteId: quote.id,
    chargeId: null,
    unsignedTransaction: null,
    signedTransaction: null,
    tidHash: null,
    dataError: null,
    globalPaymentData: { message: 'Waiting for the token at the address of the payment.' },
  }
}
