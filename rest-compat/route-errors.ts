import type { ErrorCode } from '../kernel/errors.js'
import { BODY_ERRORS, COMMON_ERRORS, type Route } from './routes.js'

/**
 * Every code that a route may answer, in the words that it uses for them: those that every route has, those of a body
 * where it takes one, its own, and its code for what is unexpected.
 */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const all: ErrorCode[] = [...COMMON_ERRORS, ...route.errors]
  if (route.absentInput) all.push(route.absentInput)
  if (route.product) all.push('product_disabled')
  if (route.method !== 'GET') all.push(...BODY_ERRORS)
  const codes = all.map((code): ErrorCode => (code === 'validation_error' ? (route.badInput ?? code) : code))
  return [...new Set<ErrorCode>([...codes, route.crash ?? 'server_error'])]
}
