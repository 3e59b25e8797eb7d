import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AuditLog } from './audit-log.js'

const route = getRouteApi('/audit')
const operatorRoute = getRouteApi('/operators/audit')

/** What was done in the tenant. */
export function AuditPage(): ReactNode {
  const navigate = route.useNavigate()
  return <AuditLog search={route.useSearch()} onChange={(search) => void navigate({ search })} />
}

/** What was done anywhere in the deployment. */
export function OperatorAuditPage(): ReactNode {
  const navigate = operatorRoute.useNavigate()
  return <AuditLog search={operatorRoute.useSearch()} onChange={(search) => void navigate({ search })} isOfAll />
}
