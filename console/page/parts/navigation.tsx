import type { ReactNode } from 'react'
import { auditLogQuery } from '../generated/operations.js'
import { useText } from '../messages/use-text.js'
import { useMay } from '../session/allowed.js'
import { useSession } from '../session/use-session.js'
import { RoutedNavLink } from './links.js'

/** A tenant's pages, those that belong together below one heading. Each is at its name, payments first of all. */
const GROUPS = [
  { heading: undefined, pages: ['payments', 'overview', 'orders', 'subscriptions', 'refunds'] },
  { heading: 'money', pages: ['statement', 'yields'] },
  { heading: 'developers', pages: ['keys', 'webhooks'] },
  { heading: 'business', pages: ['branding', 'verifications', 'people', 'settings', 'audit'] },
  { heading: 'own', pages: ['sessions', 'passkeys'] },
] as const

/** The operators' pages, each at its name. */
const OPERATOR_PAGES = [
  'alerts',
  'payouts',
  'decisions',
  'treasury',
  'differences',
  'tenants',
  'jobs',
  'providers',
  'audit',
  'sessions',
  'passkeys',
] as const

/** The pages of a tenant, or those of the deployment's operators. @param path where one is */
export function Navigation({ path }: { path: string }): ReactNode {
  const t = useText()
  const { tenant } = useSession()
  const may = useMay()
  // What operators have as well is called as it is there.
  const operatorNames = { ...t.nav, ...t.operators.nav }
  if (!tenant)
    return OPERATOR_PAGES.map((name) => (
      <RoutedNavLink
        key={name}
        to={`/operators/${name}`}
        label={operatorNames[name]}
        active={path.startsWith(`/operators/${name}`)}
        className="nav-link"
        data-test={`nav-${name}`}
      />
    ))
  return GROUPS.map(({ heading, pages }) => (
    <div key={heading ?? ''} role="group" aria-label={heading && t.navGroups[heading]}>
      {heading && <div className="nav-heading">{t.navGroups[heading]}</div>}
      {pages
        .filter((name) => name !== 'audit' || may(auditLogQuery))
        .map((name) => (
          <RoutedNavLink
            key={name}
            to={name === 'payments' ? '/' : `/${name}`}
            label={t.nav[name]}
            active={path.startsWith(`/${name}`) || (name === 'payments' && path === '/')}
            className="nav-link"
            data-test={`nav-${name}`}
          />
        ))}
    </div>
  ))
}
