import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

/**
 * All addresses of a host name. Rejects where it has none, and where that cannot be told now.
 * @param signal gives the look-up up
 */
export type LookUpHost = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>

/** Where names are looked up; where the system does unless a test says otherwise. */
interface NameSources {
  hostsFile?: string
  /** Addresses with ports. */
  nameServers?: readonly string[]
}

/** How long a name server has for its first answer; twice as long for each that follows. */
const TRY_MS = 1_000
/** With one name server a look-up is given up after seven seconds, within the time of any attempt that needs it. */
const TRIES = 3

/**
 * Looks names up without the system's own resolver: that one takes a thread for as long as it waits, of which a process has two, so
 * that a few names whose servers are silent keep the whole process waiting. Names of the hosts file are known as they are there.
 */
export function hostLookUps({ hostsFile = '/etc/hosts', nameServers }: NameSources = {}): LookUpHost {
  return async (hostname, signal) => {
    const known = hostsOf(hostsFile, hostname)
    return known.length > 0 ? known : askNameServers(hostname, signal, nameServers)
  }
}

/** What the hosts file says of a name, as of now: it is small, and an operator may change it. */
function hostsOf(file: string, hostname: string): LookupAddress[] {
  return textOf(file)
    .split('\n')
    .flatMap((line) => {
      const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
      const family = isIP(address)
      return family > 0 && names.some((name) => name.toLowerCase() === hostname) ? [{ address, family }] : []
    })
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Asks for addresses of both families. Where one family cannot be told, those of the other are all there is: whoever connects does so to
 * addresses that were answered here.
 */
async function askNameServers(
  hostname: string,
  signal: AbortSignal,
  nameServers: readonly string[] | undefined,
): Promise<LookupAddress[]> {
  signal.throwIfAborted()
  // Its own for each look-up: it is canceled as a whole, knows the name servers of now, and asks from a port that nobody can guess.
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (nameServers) resolver.setServers(nameServers)
  const giveUp = (): void => {
    resolver.cancel()
  }
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
    ])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
    throw new AggregateError(reasons, `${hostname} has no address: ${reasons.map(String).join(', ')}`)
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
