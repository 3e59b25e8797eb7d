import type {
  AlertsResult,
  DifferencesResult,
  PayoutDecisionsResult,
  PayoutProposalsResult,
  ProviderHealthResult,
  TenantsResult,
  TenantTermsResult,
  TreasuryResult,
  WaitingPayoutsResult,
} from '../generated/operations.js'

/** An alert as its list shows it. */
export type ShownAlert = NonNullable<AlertsResult['alerts']>['edges'][number]['node']

/** A payout that waits. */
export type ShownPayout = NonNullable<WaitingPayoutsResult['waitingPayouts']>['edges'][number]['node']

/** What one operator proposes. */
export type ShownProposal = NonNullable<PayoutProposalsResult['payoutProposals']>[number]

/** What was decided about payouts. */
export type ShownDecision = NonNullable<PayoutDecisionsResult['payoutDecisions']>['edges'][number]['node']

/** The treasury on a chain. */
export type ShownTreasury = NonNullable<TreasuryResult['treasury']>[number]

/** Whose payouts are paused. */
export type ShownPause = NonNullable<TreasuryResult['pausedPayouts']>['pauses'][number]

/** What differs from the books. */
export type ShownDifference = NonNullable<DifferencesResult['reconciliationDifferences']>['edges'][number]['node']

/** How a provider does. */
export type ShownProvider = NonNullable<ProviderHealthResult['providerHealth']>[number]

/** A tenant as operators see it. */
export type ShownTenant = NonNullable<TenantsResult['tenants']>['edges'][number]['node']

/** What is set for a tenant. */
export type ShownTerms = NonNullable<TenantTermsResult['tenantTerms']>
