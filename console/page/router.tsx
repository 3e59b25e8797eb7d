import { createRoute, createRouter } from '@tanstack/react-router'
import { auditSearch } from './audit/audit-search.js'
import { operatorRoutes } from './operators/routes.js'
import { deliverySearch } from './pages/delivery-search.js'
import { overviewSearch } from './pages/overview-search.js'
import { pageSearch } from './pages/page-search.js'
import { paymentSearch } from './pages/payment-search.js'
import { statementSearch } from './pages/statement-search.js'
import { Failed } from './parts/failed.js'
import { refundsSearch } from './refunds/refunds-search.js'
import { page, root } from './root-route.js'
import { subscriptionSearch } from './subscriptions/subscription-search.js'

/** The pages of a tenant's people, and their addresses; what a list is filtered by is in the address, checked when it is read. */
const pages = [
  createRoute(page('/', () => import('./pages/payments-page.js'), 'PaymentsPage', paymentSearch)),
  createRoute(page('/overview', () => import('./pages/overview-page.js'), 'OverviewPage', overviewSearch)),
  createRoute(page('/payments/$id', () => import('./pages/payment-page.js'), 'PaymentPage')),
  createRoute(page('/orders', () => import('./pages/orders-page.js'), 'OrdersPage')),
  createRoute(page('/orders/new', () => import('./pages/new-order-page.js'), 'NewOrderPage')),
  createRoute(page('/webhooks', () => import('./pages/webhooks-page.js'), 'WebhooksPage', deliverySearch)),
  createRoute(page('/keys', () => import('./pages/keys-page.js'), 'KeysPage')),
  createRoute(page('/statement', () => import('./pages/statement-page.js'), 'StatementPage', statementSearch)),
  createRoute(
    page(
      '/subscriptions',
      () => import('./subscriptions/subscriptions-page.js'),
      'SubscriptionsPage',
      subscriptionSearch,
    ),
  ),
  createRoute(
    page('/subscriptions/$id', () => import('./subscriptions/subscription-page.js'), 'SubscriptionPage', pageSearch),
  ),
  createRoute(page('/refunds', () => import('./refunds/refunds-page.js'), 'RefundsPage', refundsSearch)),
  createRoute(page('/verifications', () => import('./records/verifications-page.js'), 'VerificationsPage', pageSearch)),
  createRoute(page('/yields', () => import('./records/yields-page.js'), 'YieldsPage')),
  createRoute(page('/people', () => import('./people/people-page.js'), 'PeoplePage')),
  createRoute(page('/branding', () => import('./branding/branding-page.js'), 'BrandingPage')),
  createRoute(page('/settings', () => import('./settings/settings-page.js'), 'SettingsPage')),
  createRoute(page('/audit', () => import('./audit/audit-page.js'), 'AuditPage', auditSearch)),
  createRoute(page('/sessions', () => import('./people/sessions-page.js'), 'SessionsPage')),
  createRoute(page('/passkeys', () => import('./passkeys/passkeys-page.js'), 'PasskeysPage')),
] as const

/** The pages and where one is. */
export const router = createRouter({
  routeTree: root.addChildren([...pages, ...operatorRoutes]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
