import ipaddr from 'ipaddr.js'

/** Whether an address is a public one, which a caller may have us ask; or, where allowed, this machine's own. */
export function isAcceptable(address: string, allowLoopback: boolean): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  if (range === 'loopback') return allowLoopback
  if (parsed.kind() === 'ipv4') return range === 'unicast'
  const bytes = parsed.toByteArray()
  const embedded = embeddedIpv4(range, bytes)
  if (embedded) return embedded.every((ipv4) => ipaddr.fromByteArray(ipv4).range() === 'unicast')
  // ipaddr.js calls everything unicast that it has no name for; only 2000::/3 is assigned as global unicast.
  return range === 'unicast' && ((bytes[0] ?? 0) & 0xe0) === 0x20
}

/**
 * The IPv4 addresses behind an IPv6 address of a translation or a tunnel: RFC 6052 (NAT64), RFC 3056 (6to4), RFC 4380
 * (Teredo: server, and the client with its bits inverted). Undefined for any other.
 */
function embeddedIpv4(range: string, bytes: number[]): number[][] | undefined {
  // 64:ff9b:1::/48 (RFC 8215) is for local use and has no fixed place for the IPv4 address: it is not public.
  if (range === 'rfc6052') return bytes[5] === 0 ? [bytes.slice(12)] : undefined
  if (range === '6to4') return [bytes.slice(2, 6)]
  if (range === 'teredo') return [bytes.slice(4, 8), bytes.slice(12).map((byte) => byte ^ 0xff)]
  return undefined
}
