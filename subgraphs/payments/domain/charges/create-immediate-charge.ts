import { AppError } from '../../../../kernel/errors.js'
import { throwAsAppError, toAppError } from '../../../../kernel/http.js'
import { KEY_LIFE_MS } from '../../../../kernel/idempotency.js'
import type { Fence } from '../../../../kernel/idempotency-lease.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { assertMayStart } from '../../model/attempt-rules.js'
import type { CardOnFile, StoredPayer } from '../../model/charge.js'
import { paymentFailure } from '../../model/payment-failure.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import type { ChargeOrder } from '../../rails/processor-adapter.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import type { LimitedPayment } from '../../store/risk.js'
import { applyChargeView } from './apply-charge.js'
import { assertChargeable } from './assert-chargeable.js'
import { watchJob } from './charge-jobs.js'
import { endOtherCharge, waitsForChallenge } from './end-other-charge.js'
import { failCharge } from './fail-charge.js'
import { fiatReceivers } from './fiat-receivers.js'
import { findLostAttempt, type LostAttempt } from './find-lost-attempt.js'
import { isChargedAgain } from './is-charged-again.js'
import { addCharge, pendingChange, platformFeeOf, type CreateChargeDeps } from './new-charge.js'
import { NO_FIAT_FEE, priceCharge, priceFiatCharge } from './price-charge.js'
import { syncCharge } from './sync-charge.js'

/** The longest that issuer and antifraud may take; the receivers still get the quoted amount. Money after it goes back. */
const REVIEW_MAX_MS = 3 * 24 * 3_600_000
/** A process that was frozen in between leaves the attempt: another one, to which the provider has no such charge, ends it after 30 s. */
const RESERVED_MAX_MS = 10_000
/** The first sync of a charge whose request did not tell what came of it. */
const FIRST_SYNC_MS = 3_000

/** A request to charge, and the key under which it may be repeated. */
export interface ImmediateChargeRequest {
  input: CreateTransactionInput
  idempotencyKey: string | undefined
  /** Counts the payment against its tenant's limits, once it is priced; absent where that is done. */
  countUse?: (() => Promise<LimitedPayment | undefined>) | undefined
  /** Of the input, where the key came from outside. */
  fingerprint?: string | undefined
  /** Asked under the payment's lock before the charge is written down; what it throws refuses the request. */
  fence?: Fence
  /**
   * What a subscription's period is charged to, and whose card it is; the input then says nothing of them. `inTime`: the id that its payment
   * has where it is registered when it is due, and when that is.
   */
  onFile?: { card: CardOnFile; payer: StoredPayer; inTime: { id: string; at: Date } }
  /** The payment's sequence as the caller knows it: what has happened since is not overridden. */
  ifSequence?: number
}

/**
 * Charges a payer at once. The payment is pending before the provider is asked, so that nobody else can charge it; what the
 * provider answers ends the attempt, or leaves it pending until callback or watch tell more. An answer that was lost is
 * looked for under our reference, never asked for a second time.
 * @returns the sequence of the payment's newest event
 * @throws validation_error, payment_already_processed, payment_limit_exceeded, provider_unavailable, provider_timeout
 */
export async function createImmediateCharge(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  payment: Payment,
  request: ImmediateChargeRequest,
): Promise<number> {
  const receivers = fiatReceivers(rail, payment, request.input)
  if (payment.status === 'pending') await endUnknownAttempt(deps, rail, payment, request)
  const lost = await lostAttemptOf(deps, rail, payment, request)
  const startedMs = deps.clock.steadyMs()
  const reserved = await reserve(deps, rail, payment, { ...request, lost: lost instanceof AppError ? undefined : lost })
  // Nothing was charged then, and the watch ends the attempt.
  if (lost instanceof AppError) throw lost
  if (lost) await applyChargeView(deps, rail, reserved.charge, lost.view)
  else {
    // The watch ends the attempt; nobody may charge the payer after that.
    if (deps.clock.steadyMs() - startedMs > RESERVED_MAX_MS) throw new AppError('provider_unavailable')
    await sendCharge(deps, rail, reserved, { receivers, request })
  }
  const charged = await deps.payments.find(payment.tenantId, payment.id)
  if (!charged) throw new AppError('payment_not_found')
  return charged.sequence
}

/**
 * An attempt on a card on file that the database may have lost: without its payer nobody would notice that he pays twice. A payment that was
 * registered long after it was due may have been in time before, under another id; what came to nothing then is over.
 */
async function lostAttemptOf(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  payment: Payment,
  { onFile }: ImmediateChargeRequest,
): Promise<LostAttempt | AppError | undefined> {
  if (!onFile) return undefined
  const { inTime } = onFile
  const now = deps.clock.now().getTime()
  try {
    const own = await findLostAttempt(deps, rail, payment, now - payment.createdAt.getTime())
    if (inTime.id === payment.id || isMoney(own)) return own
    const before = { tenantId: payment.tenantId, id: inTime.id }
    const earlier = await findLostAttempt(deps, rail, before, now - inTime.at.getTime())
    const isLost = isMoney(earlier) && !(await deps.charges.findByReference(rail.name, earlier.reference))
    return isLost ? earlier : own
  } catch (error) {
    if (error instanceof ProviderError) return toAppError(error)
    throw error
  }
}

/** Whether an attempt is paid, or may be still. */
function isMoney(attempt: LostAttempt | undefined): attempt is LostAttempt {
  return attempt?.view.status === 'paid' || attempt?.view.status === 'open'
}

/** Has the provider charge the payer. Throws provider_unavailable, provider_timeout where nobody knows what came of it. */
async function sendCharge(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  { charge, isAgain }: Reserved,
  { receivers, request }: { receivers: ChargeOrder['receivers']; request: ImmediateChargeRequest },
): Promise<void> {
  const { input, onFile } = request
  const { reference, amount } = charge
  const platformFee = platformFeeOf(charge, charge.platformFee)
  const lifeSeconds = REVIEW_MAX_MS / 1000
  try {
    const recurrence = onFile ? ('subsequent' as const) : isAgain ? ('first' as const) : undefined
    const order = {
      reference,
      amount,
      lifeSeconds,
      input,
      receivers,
      platformFee,
      recurrence,
      cardOnFile: onFile?.card,
    }
    const view = await rail.adapter.create(order)
    await applyChargeView(deps, rail, charge, view)
  } catch (error) {
    await learnFromFailure(deps, rail, charge, error)
  }
}

/**
 * What came of the same request before, where its process died: the sequence of the payment's newest event; undefined where
 * nothing came of it, the payment's charge is of another request, or the key has lapsed since: a new request then, which never charges
 * beside an attempt whose outcome is not known (`endUnknownAttempt`).
 * @throws idempotency_key_reused where something came of a request with the same key that asked for something else
 */
export async function resumeCharge(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  { tenantId, id, chargeId }: Payment,
  request: Tenant['idempotency'],
): Promise<number | undefined> {
  if (!chargeId || !request) return undefined
  const charge = await deps.charges.find(tenantId, chargeId)
  if (charge?.requestKey !== request.key) return undefined
  if (deps.clock.now().getTime() - charge.createdAt.getTime() > KEY_LIFE_MS) return undefined
  await syncCharge(deps, rail, charge).catch(throwAsAppError)
  const present = await deps.payments.find(tenantId, id)
  // Nothing came of it: the request may charge now.
  const isUnmade = present?.status === 'error' && (await deps.charges.find(tenantId, charge.id))?.data === null
  if (isUnmade) return undefined
  const { requestFingerprint } = charge
  if (requestFingerprint !== null && requestFingerprint !== request.fingerprint)
    throw new AppError('idempotency_key_reused')
  return present?.sequence
}

/** An attempt whose end nobody told us may have ended: the provider is asked. Throws payment_already_processed otherwise. */
async function endUnknownAttempt(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  payment: Payment,
  { input, countUse }: ImmediateChargeRequest,
): Promise<void> {
  const { tenantId, id, chargeId } = payment
  const charge = chargeId ? await deps.charges.find(tenantId, chargeId) : undefined
  if (charge) await syncCharge(deps, rail, charge).catch(throwAsAppError)
  const synced = await deps.payments.find(tenantId, id)
  // A challenge that the payer has left: its charge is removed, so that it cannot be paid beside the next one.
  const isLeft = synced?.status === 'pending' && synced.chargeId === chargeId && waitsForChallenge(rail, synced)
  // The payer keeps it where the next one could not be made.
  if (isLeft) {
    await assertChargeable(deps, rail, synced, input)
    await countUse?.()
  }
  const present = isLeft ? await endOtherCharge(deps, rail, synced) : synced
  if (present?.status !== 'error' && present?.status !== 'reproved') throw new AppError('payment_already_processed')
}

/** An attempt that is written down, and whether its card is to be charged again. */
interface Reserved {
  charge: Charge
  isAgain: boolean
}

/** Writes the attempt down, with its reference and what it costs; from here on the payment is pending. */
async function reserve(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  payment: Payment,
  given: ImmediateChargeRequest & { lost: LostAttempt | undefined },
): Promise<Reserved> {
  const { input, idempotencyKey, countUse, fingerprint, fence, onFile, ifSequence, lost } = given
  const payer = onFile?.payer ?? rail.adapter.payerOf(input)
  const priced = rail.types[input.transactionType]?.settlesInFiat
    ? { quote: undefined, ...(await priceFiatCharge(deps, rail, payment)) }
    : { ...NO_FIAT_FEE, ...(await priceCharge(deps, rail, payment, input.chainName)) }
  const counted = await countUse?.()
  const now = deps.clock.now()
  const expiresAt = new Date(now.getTime() + REVIEW_MAX_MS)
  let reserved: Reserved | undefined
  await deps.payments.change(payment.tenantId, payment.id, async (locked, em) => {
    await fence?.(em)
    const isOutdated = ifSequence !== undefined && locked.sequence !== ifSequence
    if (isOutdated || locked.status === 'pending') throw new AppError('payment_already_processed')
    assertMayStart(locked, input.transactionType)
    if (counted) await deps.risk.use(em, counted, now)
    const state = 'open'
    const request = { requestKey: idempotencyKey, requestFingerprint: fingerprint }
    const attempt = { payment: locked, rail, state, payer, ...priced, expiresAt, ...request, lost } as const
    const charge = await addCharge(deps, em, attempt)
    reserved = { charge, isAgain: await isChargedAgain(deps, em, locked) }
    await deps.addJob(em, watchJob(charge, new Date(now.getTime() + FIRST_SYNC_MS)))
    const change = { ...pendingChange(charge, input, locked.toChain), amountTo: priced.quote?.amountTo ?? null }
    return { change, cause: 'transaction_created', notify: true }
  })
  if (!reserved) throw new AppError('payment_not_found')
  return reserved
}

/**
 * A refusal of the request itself ends the attempt, and the payment says why, as of a card that is refused: the attempt was written down by then.
 * After any other failure nobody knows: what the provider has under our reference counts, and where it surely has nothing the attempt has
 * failed. Otherwise it stays pending for the watch.
 */
async function learnFromFailure(
  deps: CreateChargeDeps,
  rail: ChargeRail,
  charge: Charge,
  error: unknown,
): Promise<void> {
  if (!(error instanceof ProviderError)) throw error
  if (error.kind === 'declined') {
    await failCharge(deps, charge, error.providerCode === 'card_token' ? TOKEN_INVALID : REJECTED)
    return
  }
  if (error.kind === 'timeout') throw toAppError(error)
  const view = await rail.adapter.retrieve(charge.reference).catch(() => 'unknown' as const)
  if (view === 'unknown') throw toAppError(error)
  if (view) {
    await applyChargeView(deps, rail, charge, view)
    return
  }
  await failCharge(deps, charge, UNAVAILABLE)
  throw toAppError(error)
}

const TOKEN_INVALID = paymentFailure('card_token_invalid', 'The card token is not known, was used, or has expired.')
const REJECTED = paymentFailure('provider_rejected', 'The card processor refused the request.')
const UNAVAILABLE = paymentFailure(
  'provider_unavailable',
  'The card processor could not be reached; nothing was charged.',
)
