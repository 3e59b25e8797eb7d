import { AppError } from './errors.js'
import type { Caller, Person, Role } from './tenant.js'

/** What an API key can be narrowed to. `orders:*` in a request stands for both of orders. */
export const SCOPES = [
  'payments:read',
  'payments:write',
  'orders:read',
  'orders:write',
  'kyc:read',
  'kyc:write',
  'yield:read',
  'yield:write',
  'webhooks:read',
  'webhooks:write',
  'refunds:write',
] as const
export type Scope = (typeof SCOPES)[number]

/** What people alone may do, whatever a key may: a key that leaked must not make others, or read who was there. */
const OF_PEOPLE = [
  'people:read',
  'people:write',
  'keys:read',
  'keys:write',
  'audit:read',
  'sessions:own',
  'branding:write',
  'endpoints:write',
] as const

/** What a root field needs; `webhooks:replay` is a part of `webhooks:write`, `operator` of no tenant's people or scoped keys. */
export type Right = Scope | (typeof OF_PEOPLE)[number] | 'webhooks:replay' | 'operator'

/**
 * THE table of permissions: the right that each root field of the schema needs, null where everyone may. Subgraphs enforce it
 * (`buildSubgraph`); what has no row is closed to people and to keys with scopes. Hidden fields are calls between our own
 * parts, on behalf of an operation that was let in.
 */
export const RIGHTS: Readonly<Record<string, Right | null>> = {
  // accounts
  account: null,
  products: null,
  auditLog: 'audit:read',
  branding: null,
  updateBranding: 'branding:write',
  setWebhookAddress: 'endpoints:write',
  rotateWebhookSecret: 'endpoints:write',
  webhookEndpoints: 'webhooks:read',
  createWebhookEndpoint: 'endpoints:write',
  updateWebhookEndpoint: 'endpoints:write',
  deleteWebhookEndpoint: 'endpoints:write',
  rotateWebhookEndpointSecret: 'endpoints:write',
  apiKeys: 'keys:read',
  createApiKey: 'keys:write',
  revokeApiKey: 'keys:write',
  people: 'people:read',
  invitePerson: 'people:write',
  resendInvitation: 'people:write',
  changePersonRole: 'people:write',
  removePerson: 'people:write',
  sessions: 'sessions:own',
  endSession: 'sessions:own',
  passkeys: 'sessions:own',
  startPasskey: 'sessions:own',
  addPasskey: 'sessions:own',
  removePasskey: 'sessions:own',
  renamePasskey: 'sessions:own',
  webhookDelivery: 'webhooks:read',
  webhookDeliveries: 'webhooks:read',
  webhookDeliveryPage: 'webhooks:read',
  replayWebhookDelivery: 'webhooks:replay',
  sendTestWebhook: 'webhooks:write',
  // kyc
  kycRecord: 'kyc:read',
  kycRecords: 'kyc:read',
  createKycSession: 'kyc:write',
  createWalletChallenge: 'kyc:write',
  prepareKyc: 'kyc:write',
  prepareWalletKyc: 'kyc:write',
  sendEmailOtp: 'kyc:write',
  verifyEmailOtp: 'kyc:write',
  // orders
  order: 'orders:read',
  orders: 'orders:read',
  orderPage: 'orders:read',
  activateOrder: 'orders:write',
  createOrder: 'orders:write',
  deactivateOrder: 'orders:write',
  deleteOrder: 'orders:write',
  toggleOrder: 'orders:write',
  updateOrder: 'orders:write',
  // payments
  configuration: null,
  // Each type that they find asks for its own right.
  node: null,
  nodes: null,
  paymentSubscriptions: 'payments:read',
  paymentSummary: 'payments:read',
  payment: 'payments:read',
  paymentAt: 'payments:read',
  payments: 'payments:read',
  paymentPage: 'payments:read',
  paymentSubscription: 'payments:read',
  paymentUpdated: 'payments:read',
  paymentsUpdated: 'payments:read',
  receiptEmailState: 'payments:read',
  cardTokenEndpoint: 'payments:read',
  marketQuote: 'payments:read',
  refund: 'payments:read',
  refunds: 'payments:read',
  disputes: 'payments:read',
  paymentReturns: 'payments:read',
  statement: 'payments:read',
  underpaymentTolerance: 'payments:read',
  acceptUnderpayment: 'payments:write',
  cancelPayment: 'payments:write',
  cancelSubscription: 'payments:write',
  changeSubscriptionPlan: 'payments:write',
  createTransaction: 'payments:write',
  emailReceipt: 'payments:write',
  endWalletAttempt: 'payments:write',
  executeOnChain: 'payments:write',
  openPaymentAddress: 'payments:write',
  pauseSubscription: 'payments:write',
  registerCheckoutPayment: 'payments:write',
  registerPayment: 'payments:write',
  resumeSubscription: 'payments:write',
  tokenizeCard: 'payments:write',
  setUnderpaymentTolerance: 'payments:write',
  startTrial: 'payments:write',
  stopSubscriptionEmails: 'payments:write',
  giveBackUnderpayment: 'refunds:write',
  refundPayment: 'refunds:write',
  // operators
  alerts: 'operator',
  cancelPayout: 'operator',
  changeTenantProducts: 'operator',
  closeAlert: 'operator',
  disableTenant: 'operator',
  enableTenant: 'operator',
  jobs: 'operator',
  pausePayouts: 'operator',
  pausedPayouts: 'operator',
  providerHealth: 'operator',
  payoutDecisions: 'operator',
  payoutProposals: 'operator',
  reconciliationDifferences: 'operator',
  reconciliations: 'operator',
  releasePayouts: 'operator',
  resolveDifference: 'operator',
  resolvePayout: 'operator',
  resumePayouts: 'operator',
  retryPayout: 'operator',
  setPayoutDelay: 'operator',
  setTenantFees: 'operator',
  setTenantLimits: 'operator',
  tenantTerms: 'operator',
  tenants: 'operator',
  treasury: 'operator',
  waitingPayouts: 'operator',
  // yield
  rebalanceOpportunities: 'yield:read',
  verifyYieldTransaction: 'yield:read',
  yieldEarnings: 'yield:read',
  yieldStrategies: 'yield:read',
  broadcastYield: 'yield:write',
  buildDepositYield: 'yield:write',
  buildRebalanceYield: 'yield:write',
  buildWithdrawYield: 'yield:write',
}

/** What a person does only soon after having proved to be there. What stops something is not among it: it has to work at once. */
const PROVEN: ReadonlySet<string> = new Set([
  'addPasskey',
  'cancelPayout',
  'changePersonRole',
  'changeTenantProducts',
  'createApiKey',
  'createWebhookEndpoint',
  'deleteWebhookEndpoint',
  'enableTenant',
  'giveBackUnderpayment',
  'invitePerson',
  'refundPayment',
  'releasePayouts',
  'removePasskey',
  'removePerson',
  'resendInvitation',
  'resolveDifference',
  'resolvePayout',
  'resumePayouts',
  'retryPayout',
  'rotateWebhookEndpointSecret',
  'rotateWebhookSecret',
  'setPayoutDelay',
  'setTenantFees',
  'setTenantLimits',
  'setWebhookAddress',
  'startPasskey',
  'updateWebhookEndpoint',
])
/**
 * What is written into the audit log where a key does it: what gives money back, ends, stops or reprices something, or sends events again. All
 * that people do is. What keys do from hour to hour, such as payments, has histories of its own.
 */
const AUDITED_FOR_KEYS: ReadonlySet<string> = new Set([
  'acceptUnderpayment',
  'cancelPayment',
  'cancelSubscription',
  'changeSubscriptionPlan',
  'giveBackUnderpayment',
  'pauseSubscription',
  'refundPayment',
  'replayWebhookDelivery',
  'resumeSubscription',
  'sendTestWebhook',
  'setUnderpaymentTolerance',
])

/** Whether a mutation is written into the audit log where a key asks for it. */
export function isAuditedForKeys(field: string): boolean {
  return AUDITED_FOR_KEYS.has(field)
}

const PROOF_LIFE_MS = 10 * 60_000

const READS = SCOPES.filter((scope) => scope.endsWith(':read'))
const SEES: readonly Right[] = [...READS, 'people:read', 'keys:read', 'sessions:own']

const RIGHTS_OF: Readonly<Record<Role, ReadonlySet<Right>>> = {
  owner: new Set<Right>([...SCOPES, ...OF_PEOPLE, 'webhooks:replay']),
  // All but people, and money that goes back.
  developer: new Set<Right>([
    ...SCOPES.filter((scope) => scope !== 'refunds:write'),
    ...SEES,
    ...(['webhooks:replay', 'keys:write', 'audit:read', 'branding:write', 'endpoints:write'] as const),
  ]),
  support: new Set<Right>([...SEES, 'refunds:write', 'webhooks:replay']),
  viewer: new Set<Right>(SEES),
}

/** All that a role may do, for pages that offer nothing which is refused then. */
export function rightsOf(role: Person['role']): readonly Right[] {
  if (role !== 'operator') return [...RIGHTS_OF[role]]
  return [...new Set(Object.values(RIGHTS))].filter((right) => right !== null)
}

/** Whether a caller has a right. What an operator may is asked by `operatorOf`, and of a tenant's there is none. */
export function hasRight({ person, scopes }: Caller, right: Right | null | undefined): boolean {
  if (person?.role === 'operator') return true
  if (right === null) return true
  if (person) return right !== undefined && RIGHTS_OF[person.role].has(right)
  if (isOfPeople(right)) return false
  if (scopes == null) return true
  return right !== undefined && scopes.includes(right === 'webhooks:replay' ? 'webhooks:write' : right)
}

/**
 * Lets a caller run a root field.
 * @param now by which a proof is recent
 * @throws permission_denied, proof_required
 */
export function assertMay(caller: Caller, field: string, now: () => Date): void {
  const right = RIGHTS[field]
  if (!hasRight(caller, right)) throw denied(caller, right)
  const { person } = caller
  if (!person || !PROVEN.has(field)) return
  if (now().getTime() - Date.parse(person.provenAt) >= PROOF_LIFE_MS) throw new AppError('proof_required')
}

/** Lets a caller read what a subgraph adds to the objects of others. @throws permission_denied */
export function assertScope(caller: Caller, scope: Scope): void {
  if (!hasRight(caller, scope)) throw denied(caller, scope)
}

/** Whether a root field has to be looked at for a key without scopes too. */
export function isOfPeople(right: Right | null | undefined): boolean {
  return (OF_PEOPLE as readonly unknown[]).includes(right)
}

function denied({ person }: Caller, right: Right | null | undefined): AppError {
  const needs = right == null ? 'more' : right
  return new AppError('permission_denied', {
    message: person
      ? `The role ${person.role} may not do this: it needs ${needs}.`
      : `This key may not do this: it needs ${needs}.`,
  })
}
