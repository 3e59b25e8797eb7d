import { validationError, type FieldFailure } from '../../../../kernel/errors.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { whatLacks } from '../../../../terms/payable.js'
import type { PaymentMethods } from '../../../../terms/methods.js'
import { tenantDataFailures } from '../../../../terms/tenant-data.js'
import { planLengthFailures, subscriptionFailures } from '../../../../terms/subscription.js'
import type { SubscriptionConfig } from '../../model/subscription.js'
import type { Payment } from '../../store/payment.entity.js'
import { checkPaymentTerms, type CheckRegistrationDeps } from './check-payment-input.js'
import { assertProducts, completeMethods } from '../../../../terms/methods.js'
import { storeNewPayment, type NewPaymentDeps, type NewPaymentTerms } from './new-payment.js'
import { oncePerKey } from './once-per-key.js'

/** What registering a payment needs. */
export type RegisterPaymentDeps = CheckRegistrationDeps & NewPaymentDeps

/** Columns that callers neither send nor read under their names: orders, `tenantData` and the registration itself say them. */
export type NotSent = 'orderCode' | 'orderSequence' | 'publicClientId' | 'webhookUrl' | 'subscriptionConfig'

/** The terms as a caller sends them: the methods may be left incomplete, the chain may not be absent. */
export interface RegisterPaymentInput extends Omit<NewPaymentTerms, NotSent | 'paymentMethodAllowed' | 'toChain'> {
  tenantData: { publicClientId: string; webhookUrl: string }
  paymentMethodAllowed: Partial<PaymentMethods>
  toChain: string
  /** How the payment continues once it is paid; needed for `subs`. */
  subscriptionPaymentConfig?: SentSubscriptionConfig | null
}

/** A subscription's terms as sent: not charged by itself and not tried again, unless it says so. */
type SentSubscriptionConfig = Pick<SubscriptionConfig, 'planName' | 'interval' | 'nextPaymentAt'> & {
  charge?: boolean | null
  retryCount?: number | null
}

const NO_SUBSCRIPTION = {
  field: 'subscriptionPaymentConfig',
  message: 'is required for a subscription without an order',
}

/** Every failure of the input, as far as its fields are there. */
export async function checkRegisterPayment(
  deps: CheckRegistrationDeps,
  input: Partial<RegisterPaymentInput>,
): Promise<FieldFailure[]> {
  const failures = checkPaymentTerms(deps.settings, input)
  if (typeof input.executorId === 'string' && input.executorId !== 'api_transaction') {
    failures.unshift({ field: 'executorId', message: 'must be api_transaction, unless the payment is of an order' })
  }
  const { gatewayMethod, subscriptionPaymentConfig: subscription } = input
  if (subscription) failures.push(...planFailures(subscription))
  else if (gatewayMethod === 'subs') failures.push(NO_SUBSCRIPTION)
  return [...failures, ...(await tenantDataFailures(deps, input.tenantData))]
}

function planFailures(subscription: SentSubscriptionConfig): FieldFailure[] {
  const path = 'subscriptionPaymentConfig'
  return [...subscriptionFailures(path, subscription), ...planLengthFailures(`${path}.planName`, subscription.planName)]
}

/**
 * Registers a financial payment: nothing is charged yet, the tenant gets an id to create a transaction for.
 * @returns the payment as registered; the earlier one where the idempotency key was used before
 * @throws validation_error with every bad field, product_disabled, idempotency_key_reused
 */
export function registerPayment(
  deps: RegisterPaymentDeps,
  tenant: Tenant,
  input: RegisterPaymentInput,
): Promise<Payment> {
  return oncePerKey(deps, tenant, () => checkAndRegister(deps, tenant, input))
}

async function checkAndRegister(
  deps: RegisterPaymentDeps,
  tenant: Tenant,
  input: RegisterPaymentInput,
): Promise<Payment> {
  const failures = await checkRegisterPayment(deps, input)
  if (failures.length > 0) throw validationError(failures)
  const lack = whatLacks(deps.settings.chains, input)
  if (lack !== undefined) {
    throw validationError([{ field: 'splitPaymentConfig', message: `cannot be paid: ${lack}` }])
  }
  assertProducts(tenant, input.paymentMethodAllowed)
  const { tenantData, paymentMethodAllowed, subscriptionPaymentConfig: subscription, ...terms } = input
  return storeNewPayment(deps, tenant, {
    ...terms,
    executorId: 'api_transaction',
    orderCode: null,
    orderSequence: null,
    publicClientId: tenantData.publicClientId,
    webhookUrl: tenantData.webhookUrl,
    paymentMethodAllowed: completeMethods(paymentMethodAllowed),
    subscriptionConfig: terms.gatewayMethod === 'subs' && subscription ? completeSubscription(subscription) : null,
  })
}

function completeSubscription({ charge, retryCount, ...sent }: SentSubscriptionConfig): SubscriptionConfig {
  return { ...sent, charge: charge ?? false, retryCount: retryCount ?? 0 }
}
