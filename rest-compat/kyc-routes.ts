import type { ErrorCode } from '../kernel/errors.js'
import type { Constant, Route } from './route.js'

/** What the paths under `/kyc` have in common. */
const KYC = {
  subgraph: 'kyc',
  product: 'kyc',
  absentInput: 'missing_params',
  crash: 'server_failed',
} as const satisfies Partial<Route>
/** And those under `/security`, whose unexpected failure has another name. */
const { crash: _, ...SECURITY } = KYC

const ALWAYS_TRUE: Constant = { value: true, schema: { description: 'Always true.', type: 'boolean' } }

/** And what the two that prepare a person have. */
const PREPARE = {
  ...KYC,
  method: 'POST',
  reply: {
    by: 'created',
    replies: {
      true: { http: 201, status: 'user_prepared', message: 'Prepared for verification.' },
      false: { http: 200, status: 'user_already_prepared', message: 'Prepared already.' },
    },
  },
  hidden: ['created'],
} as const satisfies Partial<Route>

/** The rows of identity verification. */
export const KYC_ROUTES: readonly Route[] = [
  {
    ...PREPARE,
    path: '/kyc/prepare',
    summary: 'Prepares the owner of an e-mail address for identity verification.',
    operation: 'prepare-kyc',
    errors: ['customer_not_logged', 'verify_quota_exceeded'],
  },
  {
    method: 'POST',
    path: '/security/email/send-otp',
    summary: 'Sends a one-time code to a prepared e-mail address; earlier codes no longer work.',
    operation: 'send-email-otp',
    reply: { http: 201, status: 'otp_sent', message: 'The code was sent.' },
    ...SECURITY,
    errors: ['customer_not_logged', 'user_not_found', 'email_already_verified', 'otp_rate_limited'],
  },
  {
    method: 'POST',
    path: '/security/email/verify-otp',
    summary: 'Proves an e-mail address by the newest code that was sent to it; five wrong tries end the code.',
    operation: 'verify-email-otp',
    reply: { http: 200, status: 'email_verified', message: 'The e-mail address is verified.' },
    constants: { email_verified: ALWAYS_TRUE },
    ...SECURITY,
    errors: [
      'customer_not_logged',
      'user_not_found',
      'email_already_verified',
      'otp_invalid',
      'otp_expired',
      'otp_max_attempts',
    ],
  },
  {
    method: 'GET',
    path: '/kyc/status',
    summary: 'Where the owner of an e-mail address or a wallet stands.',
    operation: 'kyc-record',
    operationId: 'kycStatus',
    reply: { http: 200, status: 'kyc_status_retrieved', message: 'Status retrieved.' },
    blank: ['session_id', 'session_status', 'session_url'],
    ...KYC,
    errors: ['customer_not_logged', 'validation_error', 'kyc_not_found'],
  },
  {
    method: 'POST',
    path: '/security/wallet/challenge',
    summary: 'Gives out a message that proves a wallet once it is signed; it works once, for ten minutes.',
    operation: 'create-wallet-challenge',
    reply: { http: 201, status: 'challenge_created', message: 'Have the wallet sign the message.' },
    ...SECURITY,
    errors: ['customer_not_logged', 'invalid_wallet'],
  },
  {
    ...PREPARE,
    path: '/kyc/prepare-wallet',
    summary: 'Prepares the owner of a wallet, who has signed a challenge, for identity verification.',
    operation: 'prepare-wallet-kyc',
    errors: [
      'customer_not_logged',
      'signature_invalid',
      'challenge_invalid',
      'challenge_expired',
      'email_already_linked',
      'verify_quota_exceeded',
    ],
  },
  {
    method: 'POST',
    path: '/kyc/create/verify_public_kyc',
    summary: 'Creates the hosted verification session of a proved e-mail address or wallet, or resumes it.',
    operation: 'create-kyc-session',
    reply: {
      by: 'message',
      replies: {
        kyc_session_created: { http: 201, status: 'kyc_session_created', message: 'The session was created.' },
        kyc_session_resumed: { http: 201, status: 'kyc_session_created', message: 'The session goes on.' },
        kyc_already_approved: { http: 200, status: 'kyc_already_approved', message: 'The verification is approved.' },
      },
    },
    constants: { success: ALWAYS_TRUE },
    ...KYC,
    errors: ['customer_not_logged', 'user_not_prepared', 'identity_not_verified', 'verify_quota_exceeded'],
  },
]

/** All paths of identity verification, known or not: where the product is off, that is what they answer. */
export const KYC_PATHS = /^\/(?:kyc|security)\//

/** Paths that exist only to be refused: any other verification than the one that there is. */
export const REFUSED: readonly (Pick<Route, 'method' | 'path' | 'product' | 'crash'> & { code: ErrorCode })[] = [
  { method: 'POST', path: '/kyc/create/:method', product: 'kyc', crash: 'server_failed', code: 'method_not_found' },
]
