import type { ReactNode } from 'react'
import { useSession } from './use-session.js'

interface AllowedProps {
  /** What is asked of the server in the end. */
  act: { right?: string }
  children: ReactNode
}

/** What is offered to those who may do it alone: the server refuses it to all others, who would learn that too late. */
export function Allowed({ act, children }: AllowedProps): ReactNode {
  return useMay()(act) ? children : null
}

/** Tells whether the person may run an operation at the tenant that is looked at. */
export function useMay(): (act: { right?: string }) => boolean {
  const { rights } = useSession().session
  return ({ right }) => right === undefined || rights.includes(right)
}
