import { nonceOf } from '../../../chains/wallet-proof/challenge-message.js'
import type { Wallet } from '../../../chains/wallet-proof/wallet.js'
import { parseWallet } from '../../../chains/wallet-proof/wallet.js'
import { AppError } from '../../../kernel/errors.js'
import { firstAnswer } from '../../../kernel/idempotency.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import { assertKycEnabled } from './assert-kyc-enabled.js'
import { emailIdentity } from './identity.js'
import { linkIdentities, type LinkIdentitiesDeps } from './link-identities.js'
import { preparationOf, type Preparation } from './preparation.js'

/** A challenge as it came back from the wallet. */
export interface PrepareWalletKycInput {
  message: string
  signedBytes: string
  wallet?: string | null
  email?: string | null
}

type PrepareWalletKycDeps = LinkIdentitiesDeps &
  Pick<KycDeps, 'isSignatureOf' | 'logAccess' | 'once' | 'pool' | 'vault' | 'walletChallenges'>

/**
 * Prepares the owner of a wallet for verification: they have signed a challenge that we gave out. The challenge is used up
 * in the transaction that prepares them, so a wrong signature or a refused e-mail address leaves it open.
 * @throws product_disabled, challenge_invalid, challenge_expired, signature_invalid, email_already_linked,
 *   verify_quota_exceeded, provider_unavailable, provider_timeout, idempotency_*
 */
export async function prepareWalletKyc(
  deps: PrepareWalletKycDeps,
  tenant: Tenant,
  input: PrepareWalletKycInput,
): Promise<Preparation> {
  assertKycEnabled(tenant)
  const earlier = await firstAnswer<Preparation>(deps.pool, tenant, deps.clock)
  if (earlier) return earlier
  const { nonce, wallet } = await openChallenge(deps, tenant, input)
  if (!(await deps.isSignatureOf(wallet, input.message, input.signedBytes))) throw new AppError('signature_invalid')
  const { answer } = await deps.once<Preparation & { ownerId: string | null }>(tenant, async (em) => {
    if (!(await deps.walletChallenges.consume(em, tenant.id, nonce))) throw new AppError('challenge_invalid')
    const { person, created, ownerId } = await linkIdentities(deps, tenant, {
      em,
      wallet: { kind: 'wallet', value: wallet.address, chain: wallet.family },
      email: input.email == null ? undefined : emailIdentity(input.email),
    })
    const emailVerified = await deps.linkedEmails.isProved(em, person)
    const prepared = preparationOf(person, { created, now: deps.clock.now(), emailVerified, walletVerified: true })
    return { ...prepared, ownerId }
  })
  await deps.logAccess(tenant.id, answer.personId, 'prepare-wallet-kyc')
  // The address's owner was prepared too, or their proof was read.
  if (answer.ownerId) await deps.logAccess(tenant.id, answer.ownerId, 'prepare-wallet-kyc')
  return answer
}

/** The challenge that a message is, every character of it; and the wallet it was given out for, which it names. */
async function openChallenge(
  deps: PrepareWalletKycDeps,
  tenant: Tenant,
  { message, wallet: named }: PrepareWalletKycInput,
): Promise<{ nonce: string; wallet: Wallet }> {
  const nonce = nonceOf(message)
  const challenge = nonce === undefined ? undefined : await deps.walletChallenges.find(tenant.id, nonce)
  const isSame = challenge?.messageHash === deps.vault.messageHash(tenant.id, message)
  const wallet = parseWallet(message.split('\n')[1] ?? '')
  if (nonce === undefined || !challenge || !isSame || challenge.isUsed || !wallet)
    throw new AppError('challenge_invalid')
  if (named != null && named !== '' && parseWallet(named)?.address !== wallet.address)
    throw new AppError('challenge_invalid')
  if (challenge.expiresAt <= deps.clock.now()) throw new AppError('challenge_expired')
  return { nonce, wallet }
}
