import type { Wallet } from './wallet.js'

/** Who asks for the proof, and on which chains the wallets are read. */
export interface ChallengeIssuer {
  /** Authority of RFC 3986 that the wallet shows to its owner, e.g. `pay.example.com`. */
  domain: string
  uri: string
  /** The chain in which contract wallets are resolved (EIP-4361). */
  evmChainId: number
  /** `mainnet`, `devnet`, `testnet` or `localnet`. */
  solanaCluster: string
}

/** What one challenge says. */
export interface ChallengeTerms {
  wallet: Wallet
  /** One line of printable ASCII, for the owner to read. */
  statement: string
  /** At least 8 letters and digits, never used before. */
  nonce: string
  issuedAt: Date
  expiresAt: Date
}

/**
 * The message that a wallet signs to prove itself: EIP-4361 (Sign-In with Ethereum) for an EVM wallet, Sign-In With Solana
 * (phantom/sign-in-with-solana), which has the same form, for a Solana one. Written here and not by viem, which takes no
 * domain of one label, such as a container's name.
 */
export function challengeMessage(issuer: ChallengeIssuer, terms: ChallengeTerms): string {
  const { wallet, statement, nonce, issuedAt, expiresAt } = terms
  const isEvm = wallet.family === 'evm'
  return [
    `${issuer.domain} wants you to sign in with your ${isEvm ? 'Ethereum' : 'Solana'} account:`,
    wallet.address,
    '',
    statement,
    '',
    `URI: ${issuer.uri}`,
    'Version: 1',
    `Chain ID: ${isEvm ? issuer.evmChainId : issuer.solanaCluster}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    `Expiration Time: ${expiresAt.toISOString()}`,
  ].join('\n')
}

/** The nonce that a message names; only a look-up key, as the whole message is compared with the one given out. */
export function nonceOf(message: string): string | undefined {
  return /^Nonce: ([A-Za-z0-9]{8,128})$/m.exec(message)?.[1]
}

/** Whether a text can be a statement: one line of the characters that EIP-4361 allows, at most 200. */
export function isStatement(text: string): boolean {
  return /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]{1,200}$/.test(text)
}
