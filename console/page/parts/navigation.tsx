import type { ReactNode } from 'react'
import { auditLogQuery } from '../generated/operations.js'
import { useText } from '../messages/use-text.js'
import { useMay } from '../session/allowed.js'
import { useSession } from '../session/use-session.js'
import { RoutedNavLink } from './links.js'

/** A tenant's pages, those that belong together below one heading. */
const GROUPS = [
  {
    heading: undefined,
    pages: [
      ['/', 'payments'],
      ['/overview', 'overview'],
      ['/orders', 'orders'],
      ['/subscriptions', 'subscriptions'],
      ['/refunds', 'refunds'],
    ],
  },
  {
    heading: 'money',
    pages: [
      ['/statement', 'statement'],
      ['/yields', 'yields'],
    ],
  },
  {
    heading: 'developers',
    pages: [
      ['/keys', 'keys'],
      ['/webhooks', 'webhooks'],
    ],
  },
  {
    heading: 'business',
    pages: [
      ['/branding', 'branding'],
      ['/verifications', 'verifications'],
      ['/people', 'people'],
      ['/settings', 'settings'],
      ['/audit', 'audit'],
    ],
  },
  {
    heading: 'own',
    pages: [
      ['/sessions', 'sessions'],
      ['/passkeys', 'passkeys'],
    ],
  },
] as const

const OPERATOR_PAGES = [
  ['/operators/alerts', 'alerts'],
  ['/operators/payouts', 'payouts'],
  ['/operators/decisions', 'decisions'],
  ['/operators/treasury', 'treasury'],
  ['/operators/differences', 'differences'],
  ['/operators/tenants', 'tenants'],
  ['/operators/jobs', 'jobs'],
  ['/operators/providers', 'providers'],
  ['/operators/audit', 'audit'],
  ['/operators/sessions', 'sessions'],
  ['/operators/passkeys', 'passkeys'],
] as const

/** The pages of a tenant, or those of the deployment's operators. @param path where one is */
export function Navigation({ path }: { path: string }): ReactNode {
  const t = useText()
  const { tenant } = useSession()
  const may = useMay()
  if (!tenant)
    return OPERATOR_PAGES.map(([to, name]) => (
      <RoutedNavLink
        key={to}
        to={to}
        label={t.operators.nav[name]}
        active={path.startsWith(to)}
        className="nav-link"
        data-test={`nav-${name}`}
      />
    ))
  return GROUPS.map(({ heading, pages }) => (
    <div key={heading ?? ''} role="group" aria-label={heading && t.navGroups[heading]}>
      {heading && <div className="nav-heading">{t.navGroups[heading]}</div>}
      {pages
        .filter(([, name]) => name !== 'audit' || may(auditLogQuery))
        .map(([to, name]) => (
          <RoutedNavLink
            key={to}
            to={to}
            label={t.nav[name]}
            active={isAt(path, to)}
            className="nav-link"
            data-test={`nav-${name}`}
          />
        ))}
    </div>
  ))
}

/** Payments are the first page, and a payment belongs to them. */
function isAt(path: string, to: string): boolean {
  return to === '/' ? path === '/' || path.startsWith('/payments/') : path.startsWith(to)
}
