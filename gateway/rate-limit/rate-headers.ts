/** What a limiter decided about one request. */
export interface RateVerdict {
  allowed: boolean
  /** Requests per minute. */
  limit: number
  /** How many more would be allowed now. */
  remaining: number
  /** Seconds until the next request that is counted leaves the window; for a refused one: until it may be repeated. */
  resetSeconds: number
}

/**
 * The response headers that tell of the rate limit: `RateLimit-Policy` and `RateLimit` as in
 * draft-ietf-httpapi-ratelimit-headers-10 (structured fields: `q` the quota, `w` the window in seconds, `r` what remains,
 * `t` seconds), and `Retry-After` (RFC 9110) on a refusal. None at all where there is no limit.
 */
export function rateHeaders(verdict: RateVerdict): Record<string, string> {
  const { allowed, limit, remaining, resetSeconds } = verdict
  if (limit === 0) return {}
  return {
    'ratelimit-policy': `"default";q=${limit};w=60`,
    ratelimit: `"default";r=${remaining};t=${resetSeconds}`,
    ...(!allowed && { 'retry-after': String(resetSeconds) }),
  }
}
