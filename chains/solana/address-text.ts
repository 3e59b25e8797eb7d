import type { PublicKey } from '@solana/web3.js'

const texts = new WeakMap<PublicKey, string>()

/** A key in base58, written once for each key object: those of a market are asked for with every request. */
export function addressText(key: PublicKey): string {
  const known = texts.get(key)
  if (known !== undefined) return known
  const text = key.toBase58()
  texts.set(key, text)
  return text
}
