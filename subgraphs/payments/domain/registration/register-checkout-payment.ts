import { AppError, validationError, type FieldFailure } from '../../../../kernel/errors.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import { whatLacks } from '../../../../terms/payable.js'
import type { DefaultIntegration } from '../../peers/default-integration.js'
import type { OrderTemplate } from '../../peers/order-template.js'
import { subscriptionFailures, type SentSubscription } from '../../../../terms/subscription.js'
import { tenantDataFailures } from '../../../../terms/tenant-data.js'
import type { Payment } from '../../store/payment.entity.js'
import { checkPaymentTerms, type PaymentTerms, type CheckRegistrationDeps } from './check-payment-input.js'
import { assertProducts } from '../../../../terms/methods.js'
import { storeNewPayment, type NewPaymentDeps } from './new-payment.js'
import { orderTerms } from './order-terms.js'
import { oncePerKey } from './once-per-key.js'

/** What registering a payment from an order needs. */
export type RegisterCheckoutPaymentDeps = CheckRegistrationDeps &
  NewPaymentDeps & {
    /** The order that the request's tenant names. Throws order_not_found. */
    orderTemplate: (id: string) => Promise<OrderTemplate>
    /** The integration of the request's tenant that is used where nothing names one. */
    defaultIntegration: () => Promise<DefaultIntegration | null>
  }

/** A checkout: the order says everything. What is sent besides is checked, then ignored, but for `tenantData` and what the shop notes (`PaymentNotes`). */
export interface RegisterCheckoutPaymentInput extends PaymentTerms {
  orderCode: string
  tenantData?: { publicClientId: string; webhookUrl: string } | null
  subscriptionPaymentConfig?: SentSubscription | null
}

/** Every failure of the input, as far as its fields are there. */
export async function checkRegisterCheckoutPayment(
  deps: CheckRegistrationDeps,
  input: Partial<RegisterCheckoutPaymentInput>,
): Promise<FieldFailure[]> {
  const failures = checkPaymentTerms(deps.settings, input)
  if (input.orderCode === '') failures.unshift({ field: 'orderCode', message: 'must not be empty' })
  const { subscriptionPaymentConfig: subscription } = input
  // Not for its length: it may be the order's own, of a time without that bound.
  if (subscription) failures.push(...subscriptionFailures('subscriptionPaymentConfig', subscription))
  return [...failures, ...(await tenantDataFailures(deps, input.tenantData))]
}

/**
 * Registers a payment from an order. It never needs identity verification.
 * @returns the payment as registered; the earlier one where the idempotency key was used before
 * @throws validation_error, product_disabled, order_not_found, order_inactive, idempotency_key_reused
 */
export function registerCheckoutPayment(
  deps: RegisterCheckoutPaymentDeps,
  tenant: Tenant,
  input: RegisterCheckoutPaymentInput,
): Promise<Payment> {
  return oncePerKey(deps, tenant, () => checkAndRegister(deps, tenant, input))
}

async function checkAndRegister(
  deps: RegisterCheckoutPaymentDeps,
  tenant: Tenant,
  input: RegisterCheckoutPaymentInput,
): Promise<Payment> {
  const failures = await checkRegisterCheckoutPayment(deps, input)
  if (failures.length > 0) throw validationError(failures)
  if (input.paymentMethodAllowed) assertProducts(tenant, input.paymentMethodAllowed)
  const order = await deps.orderTemplate(input.orderCode)
  if (!order.active) throw new AppError('order_inactive')
  assertProducts(tenant, order.paymentMethodAllowed)
  const lack = whatLacks(deps.settings.chains, order)
  if (lack !== undefined) throw validationError([{ field: 'orderCode', message: `cannot be paid: ${lack}` }])
  const { tenantData, subscriptionPaymentConfig: _, ...sent } = input
  const integration = tenantData ?? order.tenantData ?? (await deps.defaultIntegration())
  return storeNewPayment(deps, tenant, {
    // What the order says counts; what it does not know is the payment's own.
    ...sent,
    ...orderTerms(order),
    successUrl: sent.successUrl ?? order.successUrl,
    cancelUrl: sent.cancelUrl ?? order.cancelUrl,
    publicClientId: integration?.publicClientId ?? null,
    webhookUrl: integration?.webhookUrl ?? null,
    subscriptionConfig: order.gatewayMethod === 'SUBS' ? order.subscriptionPaymentConfig : null,
  })
}
