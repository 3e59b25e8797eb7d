import { findToken, isReceiver, RECEIVERS_MAX, type Chain } from '../../../../chains/chain.js'
import type { FieldFailure } from '../../../../kernel/errors.js'
import { percentProblem, sumToWhole } from '../../../../kernel/percent.js'
import { publicClientIdProblem } from '../../../../kernel/tenant.js'
import { amountProblem } from '../../../../terms/amount.js'
import { methodsProblem, PAYMENT_METHODS, paysInFiatOnly } from '../../../../terms/methods.js'
import { recipientFailures } from '../../../../terms/split.js'
import type { PaymentMethods, SplitReceiver } from '../../model/payment-terms.js'

/** What registration needs to know of the deployment. */
export interface RegistrationSettings {
  enabledFiats: readonly string[]
  chains: readonly Chain[]
  /** The fixed prefix of `public_client_id`, where the deployment sets one. */
  publicClientIdPrefix: string | undefined
}

/** What checking a registration needs. */
export interface CheckRegistrationDeps {
  settings: RegistrationSettings
  /** Why a webhook URL is not acceptable: https and public addresses only, or none of these in the sandbox. */
  checkWebhookUrl: (field: string, url: string) => Promise<FieldFailure[]>
}

/** The part of an input that says what is paid to whom; each field may be absent when its own form was bad. */
export interface PaymentTerms {
  paymentMethodAllowed?: Partial<PaymentMethods> | null
  /** A receiver is absent where it had not even the form of one. */
  splitPaymentConfig?: readonly (SplitReceiver | null | undefined)[] | null
  fromCurrencySymbol?: string | null
  amountFrom?: string | null
  toCurrencySymbol?: string | null
  toChain?: string | null
  onRamp?: boolean | null
  tenantData?: { publicClientId?: string; webhookUrl?: string } | null
  metadata?: unknown
}

/** As JSON text: what a shop notes about a payment, and not what it could keep for itself. */
const METADATA_MAX_BYTES = 16 * 1024

/** Every way in which the terms of a payment are not acceptable. Rules whose fields are absent are left out. */
export function checkPaymentTerms(settings: RegistrationSettings, terms: PaymentTerms): FieldFailure[] {
  return [
    ...checkAmount(settings, terms),
    ...checkMethods(terms),
    ...checkDestination(settings, terms),
    ...checkSplit(settings, terms),
    ...checkTenantData(settings, terms),
    ...checkMetadata(terms),
  ]
}

function checkMetadata({ metadata }: PaymentTerms): FieldFailure[] {
  if (metadata === undefined || metadata === null) return []
  if (Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_MAX_BYTES) return []
  return [{ field: 'metadata', message: 'must be at most 16 KB of JSON' }]
}

function checkAmount(
  { enabledFiats }: RegistrationSettings,
  { fromCurrencySymbol, amountFrom }: PaymentTerms,
): FieldFailure[] {
  const failures: FieldFailure[] = []
  if (typeof fromCurrencySymbol === 'string' && !enabledFiats.includes(fromCurrencySymbol)) {
    failures.push({
      field: 'fromCurrencySymbol',
      message: `must be an enabled fiat currency: ${enabledFiats.join(', ')}`,
    })
  }
  const message = typeof amountFrom === 'string' ? amountProblem(amountFrom, fromCurrencySymbol) : undefined
  if (message !== undefined) failures.push({ field: 'amountFrom', message })
  return failures
}

function checkMethods({ paymentMethodAllowed: methods, onRamp }: PaymentTerms): FieldFailure[] {
  if (!methods) return []
  const failures: FieldFailure[] = []
  if (!PAYMENT_METHODS.some((method) => methods[method])) {
    failures.push({ field: 'paymentMethodAllowed', message: 'must allow at least one method' })
  }
  const message = methodsProblem(methods)
  if (message !== undefined) failures.push({ field: 'paymentMethodAllowed', message })
  if (onRamp === true && methods.pixcrypto) {
    failures.push({ field: 'onRamp', message: 'must be false for payments received by Pix' })
  }
  return failures
}

function checkDestination(
  { chains }: RegistrationSettings,
  { toChain, toCurrencySymbol }: PaymentTerms,
): FieldFailure[] {
  if (typeof toChain !== 'string') return []
  const chain = chains.find(({ name }) => name === toChain)
  if (!chain)
    return [{ field: 'toChain', message: `must be an enabled chain: ${chains.map(({ name }) => name).join(', ')}` }]
  if (typeof toCurrencySymbol === 'string' && !findToken(chain, toCurrencySymbol)) {
    return [{ field: 'toCurrencySymbol', message: `must be a token enabled on ${toChain}` }]
  }
  return []
}

function checkSplit({ chains }: RegistrationSettings, terms: PaymentTerms): FieldFailure[] {
  const { splitPaymentConfig: split } = terms
  if (!split) return []
  if (split.length === 0) return [{ field: 'splitPaymentConfig', message: 'must name at least one receiver' }]
  if (split.length > RECEIVERS_MAX) {
    return [{ field: 'splitPaymentConfig', message: `must name at most ${RECEIVERS_MAX} receivers` }]
  }
  const failures = split.flatMap((receiver, index) => {
    const percent = receiver?.receiverPercent
    const problem = typeof percent === 'number' ? percentProblem(percent) : undefined
    return problem === undefined ? [] : [{ field: `splitPaymentConfig.${index}.receiverPercent`, message: problem }]
  })
  const percents = split.map((receiver) => receiver?.receiverPercent).filter((percent) => typeof percent === 'number')
  // A share whose own form was bad is reported by itself; the sum would only say the same again.
  const complete =
    percents.length === split.length && percents.every((percent) => percentProblem(percent) === undefined)
  if (complete && !sumToWhole(percents)) {
    failures.push({ field: 'splitPaymentConfig', message: 'the percentages must sum to exactly 100' })
  }
  return [...failures, ...checkReceivers(chains, terms, split)]
}

/** Money that a card pays out in fiat alone goes to recipient ids: the wallet is then only a label. */
function checkReceivers(
  chains: readonly Chain[],
  { toChain, paymentMethodAllowed: methods }: PaymentTerms,
  split: readonly (SplitReceiver | null | undefined)[],
): FieldFailure[] {
  if (methods && paysInFiatOnly(methods)) return recipientFailures(methods, split)
  const chain = chains.find(({ name }) => name === toChain)
  if (!chain) return []
  return split.flatMap((receiver, index) => {
    const wallet = receiver?.receiverWallet
    if (typeof wallet !== 'string' || isReceiver(chain, wallet)) return []
    const message = `must be a receiver's address on ${chain.name}`
    return [{ field: `splitPaymentConfig.${index}.receiverWallet`, message }]
  })
}

function checkTenantData(settings: RegistrationSettings, { tenantData }: PaymentTerms): FieldFailure[] {
  const id = tenantData?.publicClientId
  if (typeof id !== 'string') return []
  const message = publicClientIdProblem(id, settings.publicClientIdPrefix)
  return message === undefined ? [] : [{ field: 'tenantData.publicClientId', message }]
}
