import { parseWallet } from '../../../chains/wallet-proof/wallet.js'
import { AppError } from '../../../kernel/errors.js'

/** What a person is known by: an e-mail address in lower case, or a wallet's canonical address. */
export type Identity = { kind: 'email'; value: string } | { kind: 'wallet'; value: string; chain: 'evm' | 'solana' }

/** What a caller names a person by. */
export interface NamedIdentity {
  email?: string | null
  wallet?: string | null
}

/** The identity of an e-mail address: trimmed and lower-cased, as look-ups are. */
export function emailIdentity(email: string): Identity & { kind: 'email' } {
  return { kind: 'email', value: email.trim().toLowerCase() }
}

/** The identity of a wallet, however its address is written; undefined where it is none that can sign. */
export function walletIdentity(text: string): (Identity & { kind: 'wallet' }) | undefined {
  const wallet = parseWallet(text)
  return wallet && { kind: 'wallet', value: wallet.address, chain: wallet.family }
}

/**
 * The identities that a caller names, the e-mail address first. A wallet that cannot be one is left out: nobody is known
 * by it.
 * @throws missing_params where neither is named
 */
export function identitiesOf({ email, wallet }: NamedIdentity): Identity[] {
  const named = [email, wallet].filter((value) => typeof value === 'string' && value.trim() !== '')
  if (named.length === 0) throw new AppError('missing_params', { message: 'email or wallet is required.' })
  const identities: (Identity | undefined)[] = [
    email != null && email.trim() !== '' ? emailIdentity(email) : undefined,
    wallet != null && wallet.trim() !== '' ? walletIdentity(wallet) : undefined,
  ]
  return identities.filter((identity) => identity !== undefined)
}
