import { isIPv6 } from 'node:net'

/**
 * Whom an address counts as where addresses have budgets: itself, or the first 64 bits of an IPv6 address. A provider gives each
 * customer a network of at least so many addresses (RFC 6177), so that each of them alone is as good as no budget.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [given = ''] = address.toLowerCase().split('%')
  // IPv4 in the form of IPv6 (RFC 4291, 2.5.5.2), as a socket for both shows it.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(given)?.[1]
  if (mapped !== undefined) return mapped
  const [head = '', tail] = given.split('::')
  const first = groupsOf(head)
  // A dotted end is two groups.
  const last = groupsOf(tail ?? '').length + (tail?.includes('.') === true ? 1 : 0)
  const zeros = tail === undefined ? 0 : 8 - first.length - last
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...groupsOf(tail ?? '')]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':')
}
