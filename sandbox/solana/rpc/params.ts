import bs58 from 'bs58'
import type { Slots } from '../slots.js'
import { invalidParams, RpcError } from './rpc-error.js'

/** A call's parameters, by position. */
export type Params = readonly unknown[]
export type Config = Readonly<Record<string, unknown>>

/** The configuration object at a position; an empty one where the caller sent none. */
export function configAt(params: Params, index: number): Config {
  const value = params[index]
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidParams('Invalid params: expected a map.')
  return value as Config
}

/** The text at a position. */
export function textAt(params: Params, index: number): string {
  const value = params[index]
  if (typeof value === 'string') return value
  throw invalidParams('Invalid params: invalid type: expected a string.')
}

/** The address at a position, base58 of 32 bytes. */
export function addressAt(params: Params, index: number): string {
  return address(textAt(params, index))
}

/** Checks an address. */
export function address(value: unknown): string {
  const bytes = typeof value === 'string' && value.length <= 44 ? bs58.decodeUnsafe(value) : undefined
  if (typeof value !== 'string' || !bytes) throw invalidParams('Invalid param: Invalid')
  if (bytes.length !== 32) throw invalidParams('Invalid param: WrongSize')
  return value
}

/** The whole number at a position. */
export function integerAt(params: Params, index: number): number {
  const value = params[index]
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw invalidParams('Invalid params: invalid type: expected u64.')
}

/** The list at a position. */
export function listAt(params: Params, index: number, longest: number): unknown[] {
  const value = params[index]
  if (!Array.isArray(value)) throw invalidParams('Invalid params: invalid type: expected a sequence.')
  if (value.length > longest) throw invalidParams(`Too many inputs provided; max ${longest}`)
  return value
}

/** Refuses a caller that wants a slot which the chain has not reached. */
export function checkContextSlot(config: Config, slots: Slots): void {
  const { minContextSlot } = config as { minContextSlot?: unknown }
  const { slot } = slots.current()
  if (typeof minContextSlot !== 'number' || minContextSlot <= slot) return
  throw new RpcError(-32016, 'Minimum context slot has not been reached', { contextSlot: slot })
}
