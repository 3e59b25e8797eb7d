import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { auditSearch } from '../audit/audit-search.js'
import { pageSearch } from '../pages/page-search.js'
import { root } from '../root-route.js'
import { stateSearch, tenantsSearch } from './operator-search.js'

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/operators/alerts',
  validateSearch: stateSearch,
  component: lazyRouteComponent(() => import('./alerts-page.js'), 'AlertsPage'),
})
const payouts = createRoute({
  getParentRoute: () => root,
  path: '/operators/payouts',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('./payouts-page.js'), 'PayoutsPage'),
})
const decisions = createRoute({
  getParentRoute: () => root,
  path: '/operators/decisions',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('./decisions-page.js'), 'DecisionsPage'),
})
const treasury = createRoute({
  getParentRoute: () => root,
  path: '/operators/treasury',
  component: lazyRouteComponent(() => import('./treasury-page.js'), 'TreasuryPage'),
})
const differences = createRoute({
  getParentRoute: () => root,
  path: '/operators/differences',
  validateSearch: stateSearch,
  component: lazyRouteComponent(() => import('./differences-page.js'), 'DifferencesPage'),
})
const tenants = createRoute({
  getParentRoute: () => root,
  path: '/operators/tenants',
  validateSearch: tenantsSearch,
  component: lazyRouteComponent(() => import('./tenants-page.js'), 'TenantsPage'),
})
const tenant = createRoute({
  getParentRoute: () => root,
  path: '/operators/tenants/$id',
  component: lazyRouteComponent(() => import('./tenant-page.js'), 'TenantPage'),
})
const jobs = createRoute({
  getParentRoute: () => root,
  path: '/operators/jobs',
  component: lazyRouteComponent(() => import('./jobs-page.js'), 'JobsPage'),
})
const providers = createRoute({
  getParentRoute: () => root,
  path: '/operators/providers',
  component: lazyRouteComponent(() => import('./providers-page.js'), 'ProvidersPage'),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/operators/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../audit/audit-page.js'), 'OperatorAuditPage'),
})
const sessions = createRoute({
  getParentRoute: () => root,
  path: '/operators/sessions',
  component: lazyRouteComponent(() => import('../people/sessions-page.js'), 'SessionsPage'),
})
const passkeys = createRoute({
  getParentRoute: () => root,
  path: '/operators/passkeys',
  component: lazyRouteComponent(() => import('../passkeys/passkeys-page.js'), 'PasskeysPage'),
})

/** The pages of the deployment's own people. */
export const operatorRoutes = [
  alerts,
  payouts,
  decisions,
  treasury,
  differences,
  tenants,
  tenant,
  jobs,
  providers,
  audit,
  sessions,
  passkeys,
] as const
