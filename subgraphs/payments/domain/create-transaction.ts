import { AppError, validationError, type FieldFailure } from '../../../kernel/errors.js'
import { firstAnswer, idempotently, idempotentlyAnswered } from '../../../kernel/idempotency.js'
import type { JobRequest } from '../../../kernel/jobs.js'
import type { Fence } from '../../../kernel/idempotency-lease.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { afterRemoval, assertMayStart, assertNotWornOut } from '../model/attempt-rules.js'
import type { CreateTransactionInput } from '../model/transaction-input.js'
import type { TransactionType } from '../model/transaction-type.js'
import { railOfType, type Rails } from '../rails/find-rail.js'
import type { ChargeRail, Rail, WalletRail } from '../rails/rail.js'
import type { Payment } from '../store/payment.entity.js'
import type { Quote } from '../store/quotes.js'
import type { LimitedPayment } from '../store/risk.js'
import type { Stores } from '../store/stores.js'
import { assertVerifiedPayer, type VerifyPayerDeps } from './assert-verified-payer.js'
import { assertChargeable } from './charges/assert-chargeable.js'
import { createImmediateCharge, resumeCharge } from './charges/create-immediate-charge.js'
import { createPendingCharge } from './charges/create-pending-charge.js'
import { assertChargeUnpaid, endOtherCharge, railOfOtherCharge } from './charges/end-other-charge.js'
import type { CreateChargeDeps } from './charges/new-charge.js'
import { assertNothingCame, type HasUncountedDepositDeps } from './deposits/has-deposit.js'
import { findPayment, findPaymentVersion, type PaymentVersion } from './find-payment.js'
import { ownAttempts } from './own-attempts.js'
import { assertPayerDocument, type ComparePayerDeps } from './risk/assert-payer-document.js'
import { assertWalletsAllowed, type ScreenPaymentDeps } from './risk/assert-wallets-allowed.js'
import { assertWithinLimits, type LimitDeps } from './risk/assert-within-limits.js'
import { watchBuiltJob } from './transfers/transfer-jobs.js'
import { watchReference } from './transfers/watch-references.js'

/** What starting an attempt to pay needs. */
export type CreateTransactionDeps = ComparePayerDeps &
  CreateChargeDeps &
  HasUncountedDepositDeps &
  LimitDeps &
  Rails &
  ScreenPaymentDeps &
  VerifyPayerDeps &
  Pick<Stores, 'addJob' | 'pool' | 'references'>

/** Every failure of the input, as far as its fields are there. */
export function checkCreateTransaction(deps: Rails, input: Partial<CreateTransactionInput>): FieldFailure[] {
  const type = input.transactionType
  if (type === undefined) return []
  const rail = railOfType(deps, type)
  if (!rail) return [{ field: 'transactionType', message: `${type} payments are not available yet` }]
  const failures = rail.check(input)
  // A wallet needs no name. A provider that charges, and a gate that asks who pays, do.
  if (rail.kind === 'wallet' || input.payerEmail) return failures
  return [{ field: 'payerEmail', message: 'is required' }, ...failures]
}

/**
 * Starts an attempt to pay a payment: what the payer needs is made and kept with it, and the payment is pending.
 * @throws validation_error, product_disabled, payment_not_found, payment_already_processed, kyc_verification_required,
 *   kyc_not_approved, payer_document_mismatch, wallet_refused, payment_limit_exceeded, idempotency_*,
 *   and what the rail throws (provider_unavailable, provider_timeout, …)
 */
export async function createTransaction(
  deps: CreateTransactionDeps,
  tenant: Tenant,
  input: CreateTransactionInput,
): Promise<Payment> {
  // First, so that a replay is not judged by what the payment has become since.
  const first = await firstAnswer<PaymentVersion>(deps.pool, tenant, deps.clock)
  if (first) return findPaymentVersion(deps, tenant, first)
  const failures = checkCreateTransaction(deps, input)
  const rail = railOfType(deps, input.transactionType)
  const type = rail?.types[input.transactionType]
  if (failures.length > 0 || !type) throw validationError(failures)
  if (!tenant.products.includes(type.product)) throw new AppError('product_disabled')
  const found = await findPayment(deps, tenant, { id: input.paymentId })
  assertAllowed(found, rail, input.transactionType)
  const resumed = await resume(deps, tenant, rail, found)
  if (resumed) return findPaymentVersion(deps, tenant, resumed)
  const otherRail = railOfOtherCharge(deps, found, input.transactionType)
  if (otherRail) await assertChargeUnpaid(deps, found)
  else assertMayStart(found, input.transactionType)
  const ours = await ownAttempts(deps, found)
  assertNotWornOut(otherRail ? afterRemoval(found) : found, ours)
  // Whoever has sent to the payment's address must not be asked to pay another way before that is counted.
  await assertNothingCame(deps, found)
  await assertVerifiedPayer(deps, tenant, { rail, payment: found, input })
  if (rail.kind !== 'wallet') await assertPayerDocument(deps, tenant, input)
  await assertWalletsAllowed(deps, found, input)
  // What is signed is built first, and what is charged is priced: an attempt that is refused by then counts against no limit.
  const countUse = () => assertWithinLimits(deps, found, input)
  if (otherRail) {
    await assertStartable(deps, { rail, payment: found, input })
    // And once more at the start: with its charge removed the payment has failed, and others may have taken its room.
    await countUse()
  }
  const payment = otherRail ? await endOtherCharge(deps, otherRail, found) : found
  assertMayStart(payment, input.transactionType)
  const answer =
    rail.kind === 'wallet'
      ? await startWithWallet(deps, tenant, { rail, payment, input, countUse, ours })
      : await idempotentlyAnswered<PaymentVersion>(deps, tenant, async (fence) => ({
          paymentId: payment.id,
          sequence: await charge(deps, tenant, { rail, payment, input, countUse, fence }),
        }))
  return findPaymentVersion(deps, tenant, answer)
}

/** An attempt that may start. */
interface Start<AnyRail extends Rail> {
  rail: AnyRail
  payment: Payment
  input: CreateTransactionInput
  /** Counts the payment against its tenant's limits. */
  countUse: () => Promise<LimitedPayment | undefined>
}

/** Refuses what the start of an attempt would refuse, before the charge that the payer has is removed for it. Writes nothing. */
async function assertStartable(
  deps: CreateTransactionDeps,
  { rail, payment, input }: { rail: Rail; payment: Payment; input: CreateTransactionInput },
): Promise<void> {
  if (rail.kind === 'wallet') await rail.start(payment, input)
  else await assertChargeable(deps, rail, payment, input)
}

interface ChargeStart extends Start<ChargeRail> {
  fence: Fence
}

function charge(
  deps: CreateTransactionDeps,
  tenant: Tenant,
  { rail, payment, ...request }: ChargeStart,
): Promise<number> {
  if (!rail.adapter.chargesImmediately) return createPendingCharge(deps, rail, payment, request)
  return createImmediateCharge(deps, rail, payment, {
    ...request,
    idempotencyKey: tenant.idempotency?.key,
    fingerprint: tenant.idempotency?.fingerprint,
  })
}

/** A request that has charged already, and whose process died before it answered, gets its answer now. */
async function resume(
  deps: CreateTransactionDeps,
  tenant: Tenant,
  rail: Rail,
  payment: Payment,
): Promise<PaymentVersion | undefined> {
  if (rail.kind === 'wallet' || !rail.adapter.chargesImmediately) return undefined
  const sequence = await resumeCharge(deps, rail, payment, tenant.idempotency)
  if (sequence === undefined) return undefined
  return idempotentlyAnswered<PaymentVersion>(deps, tenant, () => Promise.resolve({ paymentId: payment.id, sequence }))
}

interface WalletStart extends Start<WalletRail> {
  /** How often we have tried to charge the payment by ourselves. */
  ours: number
}

/** Makes the unsigned transaction, and writes it down with its quote and the answer of the idempotency key. */
function startWithWallet(
  deps: CreateTransactionDeps,
  tenant: Tenant,
  { rail, payment, input, countUse, ours }: WalletStart,
): Promise<PaymentVersion> {
  return idempotently<PaymentVersion>(deps, tenant, async (complete) => {
    const { change, quote } = await rail.start(payment, input)
    const counted = await countUse()
    const changed = await deps.payments.change(tenant.id, payment.id, async (locked, em) => {
      assertMayStart(locked, input.transactionType)
      assertNotWornOut(locked, ours)
      if (counted) await deps.risk.use(em, counted, deps.clock.now())
      deps.quotes.add(em, quote)
      await watchReference(deps, em, locked, { unsigned: change.unsignedTransaction, quote })
      await complete(em, { paymentId: payment.id, sequence: locked.sequence + 1 })
      await deps.addJob(em, firstLook(payment, quote))
      // A transaction that is only built afresh leaves the status as it is, which is no news to tenants.
      return { change, cause: 'transaction_created', notify: locked.status !== 'pending' }
    })
    if (!changed) throw new AppError('payment_not_found')
    return { paymentId: payment.id, sequence: changed.sequence }
  })
}

/** Most wallets have paid by then, and what they paid with was handed in. */
const LOOK_AFTER_MS = 300_000

function firstLook({ tenantId, id: paymentId }: Payment, { id: quoteId, createdAt }: Quote): JobRequest {
  const job = { tenantId, paymentId, quoteId, builtAt: createdAt.toISOString() }
  return watchBuiltJob(job, new Date(createdAt.getTime() + LOOK_AFTER_MS))
}

function assertAllowed(payment: Payment, rail: Rail, type: TransactionType): void {
  const method = rail.types[type]?.method
  if (method && payment.paymentMethodAllowed[method]) return
  throw validationError([{ field: 'transactionType', message: `the payment does not allow ${type}` }])
}
