/** Why the server refused, by its codes; its own words stand where one is missing. */
export const enErrors = {
  code_refused: 'The code is wrong or has run out.',
  passkey_refused: 'This passkey does not sign you in here, or it took too long. Try again.',
  passkey_not_used: 'No passkey was used. Try again, or take the code.',
  passkey_known: 'This device has a passkey for you already.',
  rate_limited: 'Too many tries. Wait a little.',
  RATE_LIMITED: 'Too many requests. Wait a little.',
  PERMISSION_DENIED: 'Your role may not do this.',
  PAYMENT_NOT_REFUNDABLE:
    'This payment cannot be refunded: it was not paid, a wallet paid the receivers itself, or the provider has refused too often today.',
  REFUND_EXCEEDS_PAYMENT: 'This is more than what is left of the payment.',
  INSUFFICIENT_REFUND_BALANCE: 'The balance for refunds does not cover what was paid out already.',
  PAYMENT_ALREADY_PROCESSED: 'The payment is past that.',
  WEBHOOK_ADDRESS_MISSING: 'There is no webhook address yet.',
  WEBHOOK_ENDPOINT_OFF: 'The endpoint is switched off or was deleted.',
  REPLAY_LIMIT_REACHED: 'There were 10,000 replays and test events today; go on tomorrow (UTC).',
  ORDER_LIMIT_REACHED: 'There are 20 payment links already; delete one.',
  DOCUMENT_NOT_TRUSTED: 'There is a newer version of the console. Load the page again.',
  PERSISTED_QUERY_NOT_FOUND: 'There is a newer version of the console. Load the page again.',
  BAD_USER_INPUT: 'Something in the form cannot be what you typed.',
  UNREACHABLE: 'The server could not be reached.',
  SERVER_ERROR: 'Something went wrong on our side.',
} as Readonly<Record<string, string>>

/** What fields are called that the server names in what it refuses, where that is not what their page calls them in every language (`said.ts`). */
export const enFields = {
  toCurrencySymbol: 'Receivers get',
  successUrl: 'Back to your shop after payment',
  email: 'E-mail address',
  embedOrigins: 'Sites',
  scopes: 'May do',
} as Readonly<Record<string, string>>
