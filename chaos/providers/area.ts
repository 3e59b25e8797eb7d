import type { Fault, FaultArea, Random } from '../fault.js'
import { between, pick, pickNamed } from '../random.js'
import type { CallbackProxy } from './callback-proxy.js'
import type { ProviderProxy } from './provider-proxy.js'

type Draw = Pick<Fault, 'kind' | 'target' | 'forMs' | 'details'>

const CALLBACKS = 'callbacks'
const CALLBACKS_CHANCE = 0.4

const OF_PROVIDERS = { 'drop-answer': 5, 'late-error': 3, error: 2, limit: 2, slow: 2, trickle: 1, reset: 2 }

const OF_CALLBACKS = { twice: 3, late: 3, reorder: 3, forge: 2, drop: 3 }

/**
 * The providers: what they are asked, and what they call back.
 * @param proxies by the provider's name, e.g. `pix`
 */
export function providerArea(
  proxies: Readonly<Record<string, ProviderProxy>>,
  callbackProxy: CallbackProxy,
): FaultArea {
  const names = Object.keys(proxies).toSorted()
  return {
    area: 'provider',
    draw: (random) => (random() < CALLBACKS_CHANCE ? drawOfCallbacks(random) : drawOfProviders(random, names)),
    begin: (fault) => {
      const proxy = fault.target === CALLBACKS ? callbackProxy : proxies[fault.target]
      if (!proxy) throw new Error(`no provider is called ${fault.target}`)
      return Promise.resolve(proxy.faults.begin(fault))
    },
  }
}

function drawOfCallbacks(random: Random): Draw {
  const kind = pickNamed(random, OF_CALLBACKS)
  const details = kind === 'late' ? { ms: pick(random, [500, 3_000, 10_000]) } : {}
  return { kind, target: CALLBACKS, forMs: between(random, 2_000, 10_000), details }
}

function drawOfProviders(random: Random, names: readonly string[]): Draw {
  const kind = pickNamed(random, OF_PROVIDERS)
  const target = pick(random, names)
  return { kind, target, forMs: between(random, 500, 6_000), details: detailsOf(random, kind) }
}

function detailsOf(random: Random, kind: keyof typeof OF_PROVIDERS): Fault['details'] {
  switch (kind) {
    case 'slow':
      return { ms: pick(random, [500, 5_000, 20_000]) }
    case 'trickle':
      return { everyMs: pick(random, [2, 10, 100]) }
    case 'error':
      return { status: pick(random, [500, 502, 503]) }
    case 'late-error':
      return { status: pick(random, [500, 502, 504]) }
    default:
      return {}
  }
}
