const KEPT = 'console-tenant'

/** Which tenant a tab shows, and to whom. */
export interface TabTenant {
  personId: string
  /** Null for what operators see of the deployment. */
  tenantId: string | null
}

/**
 * What each request says: which tenant its tab shows. The session is the browser's, and another tab may have chosen another tenant
 * since.
 */
export function tenantHeader(tenantId: string | null): Record<string, string> {
  return { 'x-console-tenant': tenantId ?? 'deployment' }
}

/** Keeps what this tab shows, over a reload too. @param shown undefined to forget it */
export function keepTabTenant(shown: TabTenant | undefined): void {
  if (shown) sessionStorage.setItem(KEPT, JSON.stringify(shown))
  else sessionStorage.removeItem(KEPT)
}

/** @returns undefined in a fresh tab, which begins with the tenant that was chosen last */
export function keptTabTenant(): TabTenant | undefined {
  return (JSON.parse(sessionStorage.getItem(KEPT) ?? 'null') as TabTenant | null) ?? undefined
}
