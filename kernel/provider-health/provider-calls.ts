import { channel } from 'node:diagnostics_channel'
import type { ProviderErrorKind } from '../provider-error.js'

/** What of a provider is watched: it itself, or one of a chain's nodes. */
export interface WatchedProvider {
  /** The adapter's name, such as `pix`; `chain` for nodes. */
  provider: string
  /** The chain that is asked; empty where none is. */
  chain: string
  /** The host and port of its address, empty where there is none. Nothing else of an address is told: it may hold a key. */
  host: string
}

/** How a provider fails. Everything else that it answers is its business, such as a declined card. */
export const PROVIDER_FAILURES = ['unavailable', 'timeout', 'rate_limited', 'auth', 'protocol'] as const
export type ProviderFailure = (typeof PROVIDER_FAILURES)[number]

/** A call of a provider that is over. */
export interface ProviderCall {
  watched: WatchedProvider
  durationMs: number
  /** Undefined where it answered. */
  failure: ProviderFailure | undefined
  /** How many calls went together in it: a node counts each of a batch. */
  count: number
}

/**
 * Where every call of a provider is told, and who will be called: clients are made deep inside the parts, and whoever counts
 * for the process listens here. Where nobody listens, telling costs nothing.
 */
export const providerChannel = channel('payments:provider-call')

/** Tells that a provider will be called, so that it is known before it was. */
export function announceProvider(watched: WatchedProvider): void {
  if (providerChannel.hasSubscribers) providerChannel.publish(watched)
}

/**
 * Begins a call, or several that go together.
 * @returns what tells of its end
 */
export function beginCall(watched: WatchedProvider, count = 1): (failure?: ProviderFailure) => void {
  const startedAt = performance.now()
  return (failure) => {
    if (!providerChannel.hasSubscribers) return
    const call: ProviderCall = { watched, durationMs: performance.now() - startedAt, failure, count }
    providerChannel.publish(call)
  }
}

/** The failure that an error's kind stands for; undefined where the provider has only done its business. */
export function failureOfKind(kind: ProviderErrorKind): ProviderFailure | undefined {
  return PROVIDER_FAILURES.find((failure) => failure === kind)
}

/** What may be told of an address: no path, no query, no user. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
