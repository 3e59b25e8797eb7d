import { Navigate, Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../session/use-session.js'
import { NotFound } from './not-found.js'

/** The page of the address, where it is one of those that the session is for: a tenant's, or the operators'. */
export function Place({ path }: { path: string }): ReactNode {
  const { tenant } = useSession()
  const isOfOperators = path.startsWith('/operators')
  if (isOfOperators !== Boolean(tenant)) return <Outlet />
  if (!tenant && path === '/') return <Navigate to="/operators/alerts" />
  return <NotFound />
}
