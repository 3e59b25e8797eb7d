import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { deliverySearch } from './pages/delivery-search.js'
import { paymentSearch } from './pages/payment-search.js'
import { statementSearch } from './pages/statement-search.js'
import { Frame } from './parts/frame.js'
import { NotFound } from './parts/not-found.js'

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound })

const payments = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: paymentSearch,
  component: lazyRouteComponent(() => import('./pages/payments-page.js'), 'PaymentsPage'),
})
const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
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

/** The pages and their addresses; what a list is filtered by is in the address, checked when it is read. */
export const router = createRouter({
  routeTree: root.addChildren([payments, overview, payment, orders, newOrder, webhooks, keys, statement]),
  basepath: '/console',
  defaultPreload: 'intent',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
