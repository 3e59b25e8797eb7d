import type { ErrorCode } from '../kernel/errors.js'

/** What to do about an error, where its HTTP status does not say enough. */
const STEPS: Readonly<Partial<Record<ErrorCode, string>>> = {
  validation_error: 'Mend the fields that are named, and call again.',
  params_mismatch: 'Look at the input schema of the tool for what goes together, and call again.',
  pair_not_found: 'Try the currencies the other way round, or others.',
  customer_not_logged: 'The key is not of a tenant. Ask for one that is.',
  permission_denied: 'The key may not do this, whatever the arguments. Ask for one with the scope that is named.',
  product_disabled: 'configProducts says which products are on. Ask the operator for the others.',
  idempotency_key_reused: 'Use a new idempotency_key for a new request.',
  idempotency_in_progress: 'Wait a second, and call again with the same idempotency_key.',
  order_not_found: 'listOrders gives the ids of all orders.',
  order_inactive: 'toggleOrder switches the order on again.',
  order_limit_reached: 'deleteOrder makes room; an order that is switched off still counts.',
  no_fields_to_update: 'Send at least one field of the order.',
  payment_not_found: 'listPayments gives the ids of all payments.',
  payment_already_processed:
    'paymentStatus says where the payment stands. Register another one if it has to be paid again.',
  payment_not_refundable:
    'paymentStatus says how it was paid. What a wallet paid went straight to the receivers. Where the provider has refused too often, details says when to try again.',
  refund_exceeds_payment: 'listRefunds says what was refunded already.',
  insufficient_refund_balance: 'Ask the operator to fill the balance for refunds.',
  invalid_payment_status: 'Call createTransaction first, and sign what it gives.',
  missing_unsigned_transaction: 'Call createTransaction first, and sign what it gives.',
  invalid_signed_transaction: 'Sign exactly what createTransaction gave.',
  stale_transaction_nonce: 'Call createTransaction again, and sign the new transaction.',
  solana_blockhash_expired:
    'Where the message says that the first of two has landed, do only what it says. Otherwise build the transaction again, and sign it at once.',
  kyc_verification_required:
    'Call prepareKyc, sendEmailOtp, verifyEmailOtp and createKycSession for the payer, or pay from an order.',
  kyc_not_approved: 'kycStatus says where the verification stands.',
  webhook_address_missing: 'The default integration of the account needs a webhook address.',
  replay_limit_reached: 'Go on tomorrow, by UTC.',
  user_not_found: 'Call prepareKyc for this e-mail address first.',
  user_not_prepared: 'Call prepareKyc or prepareWalletKyc first.',
  identity_not_verified: 'Prove the e-mail address by sendEmailOtp and verifyEmailOtp first.',
  otp_expired: 'sendEmailOtp sends a new code.',
  otp_max_attempts: 'sendEmailOtp sends a new code.',
  otp_rate_limited: 'Wait for 15 minutes.',
  challenge_expired: 'createWalletChallenge gives a new message.',
  challenge_invalid: 'createWalletChallenge gives a new message.',
  insufficient_position: 'yieldEarnings says how large the position is.',
  strategy_disabled: 'yieldStrategies says which strategies are on.',
  rebalance_transaction_too_large: 'Withdraw and deposit one after the other.',
  broadcast_confirmation_timeout: 'Do not send it again blindly: read the state first, it may have gone through.',
  provider_timeout: 'Read the state before anything is repeated: it may have happened.',
}

/** What to do about a failure of a code and an HTTP status. */
export function nextStep(code: string, http: number): string {
  const known = Object.hasOwn(STEPS, code) ? STEPS[code as ErrorCode] : undefined
  if (known !== undefined) return known
  if (http === 429) return 'Wait, and call again later.'
  if (http >= 500) return 'Wait a little, and call again; with an idempotency_key nothing happens twice.'
  if (http === 404) return 'Look for the right id in a list.'
  return 'Change the arguments, and call again.'
}
