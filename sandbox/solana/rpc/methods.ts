import type { Slots } from '../slots.js'
import type { Params } from './params.js'

/** JSON-RPC methods by name; each throws an `RpcError` where a node answers one. */
export type Methods = Readonly<Record<string, (params: Params) => unknown>>

/** A value with the slot it was read at, as most methods answer. */
export function inContext(slots: Slots, value: unknown): object {
  return { context: { slot: slots.current().slot, apiVersion: '3.0.0' }, value }
}
