import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { auditSearch } from './audit/audit-search.js'
import { operatorRoutes } from './operators/routes.js'
import { deliverySearch } from './pages/delivery-search.js'
import { overviewSearch } from './pages/overview-search.js'
import { pageSearch } from './pages/page-search.js'
import { paymentSearch } from './pages/payment-search.js'
import { statementSearch } from './pages/statement-search.js'
import { refundsSearch } from './refunds/refunds-search.js'
import { root } from './root-route.js'
import { subscriptionSearch } from './subscriptions/subscription-search.js'

const payments = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: paymentSearch,
  component: lazyRouteComponent(() => import('./pages/payments-page.js'), 'PaymentsPage'),
})
const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import('./pages/overview-page.js'), 'OverviewPage'),
})
const payment = createRoute({
  getParentRoute: () => root,
  path: '/payments/$id',
  component: lazyRouteComponent(() => import('./pages/payment-page.js'), 'PaymentPage'),
})
const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  component: lazyRouteComponent(() => import('./pages/orders-page.js'), 'OrdersPage'),
})
const newOrder = createRoute({
  getParentRoute: () => root,
  path: '/orders/new',
  component: lazyRouteComponent(() => import('./pages/new-order-page.js'), 'NewOrderPage'),
})
const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('./pages/webhooks-page.js'), 'WebhooksPage'),
})
const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys-page.js'), 'KeysPage'),
})
const statement = createRoute({
  getParentRoute: () => root,
  path: '/statement',
  validateSearch: statementSearch,
  component: lazyRouteComponent(() => import('./pages/statement-page.js'), 'StatementPage'),
})
const subscriptions = createRoute({
  getParentRoute: () => root,
  path: '/subscriptions',
  validateSearch: subscriptionSearch,
  component: lazyRouteComponent(() => import('./subscriptions/subscriptions-page.js'), 'SubscriptionsPage'),
})
const subscription = createRoute({
  getParentRoute: () => root,
  path: '/subscriptions/$id',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('./subscriptions/subscription-page.js'), 'SubscriptionPage'),
})
const refunds = createRoute({
  getParentRoute: () => root,
  path: '/refunds',
  validateSearch: refundsSearch,
  component: lazyRouteComponent(() => import('./refunds/refunds-page.js'), 'RefundsPage'),
})
const verifications = createRoute({
  getParentRoute: () => root,
  path: '/verifications',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('./records/verifications-page.js'), 'VerificationsPage'),
})
const yields = createRoute({
  getParentRoute: () => root,
  path: '/yields',
  component: lazyRouteComponent(() => import('./records/yields-page.js'), 'YieldsPage'),
})
const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  component: lazyRouteComponent(() => import('./people/people-page.js'), 'PeoplePage'),
})
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-page.js'), 'SettingsPage'),
})
const branding = createRoute({
  getParentRoute: () => root,
  path: '/branding',
  component: lazyRouteComponent(() => import('./branding/branding-page.js'), 'BrandingPage'),
})
const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('./audit/audit-page.js'), 'AuditPage'),
})
const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  component: lazyRouteComponent(() => import('./people/sessions-page.js'), 'SessionsPage'),
})
const passkeys = createRoute({
  getParentRoute: () => root,
  path: '/passkeys',
  component: lazyRouteComponent(() => import('./passkeys/passkeys-page.js'), 'PasskeysPage'),
})

/** The pages and their addresses; what a list is filtered by is in the address, checked when it is read. */
export const router = createRouter({
  routeTree: root.addChildren([
    payments,
    overview,
    payment,
    orders,
    newOrder,
    webhooks,
    keys,
    statement,
    subscriptions,
    subscription,
    refunds,
    verifications,
    yields,
    people,
    branding,
    settings,
    audit,
    sessions,
    passkeys,
    ...operatorRoutes,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
