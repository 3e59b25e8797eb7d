import { errorsOf } from '../../rest-compat/route.js'
import { ROUTES } from '../../rest-compat/routes.js'
import type { Answer } from './http.js'

/**
 * What is wrong with a reply's code: one that its route's row does not list. Undefined where nothing is, and for paths
 * that are not in the table.
 */
export function unlistedCode(method: string, pathAndQuery: string, { status, body }: Answer): string | undefined {
  const [path = ''] = pathAndQuery.split('?')
  const onPath = ROUTES.filter((route) => matches(route.path, path))
  if (onPath.length === 0 || status < 400 || body['code'] !== undefined) return undefined
  const route = onPath.find((candidate) => candidate.method === method)
  const allowed: readonly string[] = route
    ? errorsOf(route)
    : ['method_not_allowed', ...onPath.filter(({ product }) => product).map(() => 'product_disabled')]
  if (allowed.includes(String(body.status))) return undefined
  return `${method} ${path} answered ${String(body.status)}, which its row does not list`
}

/** Longer, and the server takes it for no path of its table (`maxParamLength` in `gateway/http.ts`). */
const PARAMETER_MAX = 512

function matches(pattern: string, path: string): boolean {
  if (/%(?![0-9a-f]{2})/i.test(path) || path.split('/').some((part) => part.length > PARAMETER_MAX)) return false
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  if (wanted.length !== given.length) return false
  return wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
}
