import { createRoute } from '@tanstack/react-router'
import { auditSearch } from '../audit/audit-search.js'
import { pageSearch } from '../pages/page-search.js'
import { page } from '../root-route.js'
import { stateSearch, tenantsSearch } from './operator-search.js'

/** The pages of the deployment's own people. */
export const operatorRoutes = [
  createRoute(page('/operators/alerts', () => import('./alerts-page.js'), 'AlertsPage', stateSearch)),
  createRoute(page('/operators/payouts', () => import('./payouts-page.js'), 'PayoutsPage', pageSearch)),
  createRoute(page('/operators/decisions', () => import('./decisions-page.js'), 'DecisionsPage', pageSearch)),
  createRoute(page('/operators/treasury', () => import('./treasury-page.js'), 'TreasuryPage')),
  createRoute(page('/operators/differences', () => import('./differences-page.js'), 'DifferencesPage', stateSearch)),
  createRoute(page('/operators/tenants', () => import('./tenants-page.js'), 'TenantsPage', tenantsSearch)),
  createRoute(page('/operators/tenants/$id', () => import('./tenant-page.js'), 'TenantPage')),
  createRoute(page('/operators/jobs', () => import('./jobs-page.js'), 'JobsPage')),
  createRoute(page('/operators/providers', () => import('./providers-page.js'), 'ProvidersPage')),
  createRoute(page('/operators/audit', () => import('../audit/audit-page.js'), 'OperatorAuditPage', auditSearch)),
  createRoute(page('/operators/sessions', () => import('../people/sessions-page.js'), 'SessionsPage')),
  createRoute(page('/operators/passkeys', () => import('../passkeys/passkeys-page.js'), 'PasskeysPage')),
] as const
