import { challengeMessage, isStatement } from '../../../chains/wallet-proof/challenge-message.js'
import { parseWallet } from '../../../chains/wallet-proof/wallet.js'
import { AppError, validationError } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import { assertKycEnabled } from './assert-kyc-enabled.js'

const CHALLENGE_LIFE_MS = 10 * 60_000
/** Purposes that we have a sentence for. */
const STATEMENTS: ReadonlyMap<string, string> = new Map([
  ['kyc', 'Prove that this wallet is yours to verify your identity.'],
])

export interface CreateWalletChallengeInput {
  wallet: string
  /** `kyc`, as where it is left out, or one line of at most 200 characters that the wallet shows its owner. */
  purpose?: string | null
}

/** A message for a wallet to sign. */
export interface IssuedChallenge {
  message: string
  /** In its canonical form. */
  wallet: string
  walletChain: 'evm' | 'solana'
  expiresAt: Date
}

type CreateWalletChallengeDeps = Pick<
  KycDeps,
  'clock' | 'newNonce' | 'once' | 'settings' | 'vault' | 'walletChallenges'
>

/**
 * Gives out a message that proves a wallet once it is signed; it works once, for ten minutes.
 * @throws product_disabled, invalid_wallet, validation_error (purpose), idempotency_*
 */
export async function createWalletChallenge(
  deps: CreateWalletChallengeDeps,
  tenant: Tenant,
  { wallet: address, purpose }: CreateWalletChallengeInput,
): Promise<IssuedChallenge> {
  assertKycEnabled(tenant)
  const words = purpose ?? 'kyc'
  if (!isStatement(words)) {
    throw validationError([{ field: 'purpose', message: 'must be one line of at most 200 plain characters' }])
  }
  const statement = STATEMENTS.get(words) ?? spokenBy(words)
  const wallet = parseWallet(address)
  if (!wallet) throw new AppError('invalid_wallet')
  const { answer } = await deps.once<{ sealed: string }>(tenant, async (em) => {
    const issuedAt = deps.clock.now()
    const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_LIFE_MS)
    const nonce = deps.newNonce()
    const message = challengeMessage(deps.settings.issuer, { wallet, statement, nonce, issuedAt, expiresAt })
    await deps.walletChallenges.add(em, tenant.id, nonce, deps.vault.messageHash(tenant.id, message), expiresAt)
    // What an idempotency key keeps must not tell whose wallet it is.
    return { sealed: deps.vault.seal(JSON.stringify({ message, expiresAt }), contextOf(tenant)) }
  })
  const { message, expiresAt } = JSON.parse(deps.vault.open(answer.sealed, contextOf(tenant))) as Record<string, string>
  if (message === undefined || expiresAt === undefined) throw new Error('a challenge was not kept whole')
  return { message, wallet: wallet.address, walletChain: wallet.family, expiresAt: new Date(expiresAt) }
}

/** A caller's own words, which whoever signs must not take for those of their wallet or of this service. */
function spokenBy(words: string): string {
  return `Prove that this wallet is yours. The service that asks you to gives as its reason: ${words}`
}

function contextOf({ id }: Tenant): string {
  return `kyc-challenge:${id}`
}
