import type { AuthenticatedRequest } from '../authentication/hook.js'

/**
 * Reads the parameters of an address as Apollo will, so that what counts a document sees the one that runs. Fastify leaves a value as it came
 * where a `%` in it is no escape; Apollo reads the rest of it all the same.
 */
export function readParameters(request: AuthenticatedRequest): void {
  if (!request.url.includes('?')) return
  const { searchParams } = new URL(request.url, 'http://address')
  const names = [...new Set(searchParams.keys())]
  request.query = Object.fromEntries(
    names.map((name) => {
      const values = searchParams.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}
