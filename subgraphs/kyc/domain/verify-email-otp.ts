import { equalTexts } from '../../../kernel/equal-texts.js'
import { AppError } from '../../../kernel/errors.js'
import { firstAnswer } from '../../../kernel/idempotency.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KycDeps } from '../deps.js'
import { assertKycEnabled } from './assert-kyc-enabled.js'
import { codeOwner } from './code-owner.js'
import { emailIdentity } from './identity.js'

/** What became of a try; a wrong one is an answer too, as it must not be rolled back. */
interface Verdict {
  outcome: 'verified' | 'otp_invalid' | 'otp_expired' | 'otp_max_attempts' | 'email_already_verified'
}

export interface VerifyEmailOtpInput {
  email: string
  code: string
  again?: boolean | null
}

type VerifyEmailOtpDeps = Pick<KycDeps, 'clock' | 'emailOtps' | 'logAccess' | 'once' | 'people' | 'pool' | 'vault'>

/**
 * Proves an e-mail address by the newest code that was sent to it, for the tenant or for the payment's page that asks. A try is counted, by one atomic statement, before the
 * code is looked at: however many guesses come at once, five of them are compared.
 * @param input.again also where the address is proved already: then only the code counts
 * @throws product_disabled, user_not_found, email_already_verified, otp_invalid, otp_expired, otp_max_attempts, idempotency_*
 */
export async function verifyEmailOtp(
  deps: VerifyEmailOtpDeps,
  tenant: Tenant,
  { email, code, again }: VerifyEmailOtpInput,
): Promise<{ email: string }> {
  assertKycEnabled(tenant)
  // First, so that a replay is not judged by whether the person is still known.
  const earlier = await firstAnswer<Verdict>(deps.pool, tenant, deps.clock)
  const identity = emailIdentity(email)
  if (earlier) return verified(earlier, identity)
  const person = await deps.people.find(tenant.id, identity)
  if (!person) throw new AppError('user_not_found')
  const { answer } = await deps.once<Verdict>(tenant, async (em) => {
    // Before the code, as a send locks them: the two would otherwise wait for each other.
    const now = (await deps.people.lockById(em, tenant.id, person.id)) ?? person
    if (now.verifiedAt && !again) return { outcome: 'email_already_verified' }
    const owner = codeOwner(tenant, person)
    const attempt = await deps.emailOtps.attempt(em, owner)
    if (attempt === 'none') return { outcome: 'otp_invalid' }
    if (attempt === 'expired') return { outcome: 'otp_expired' }
    if (attempt === 'exhausted') return { outcome: 'otp_max_attempts' }
    const given = deps.vault.codeHash(tenant.id, person.id, code.trim())
    if (!equalTexts(given, attempt.codeHash)) {
      await deps.emailOtps.noteWrongTry(em, owner, attempt.codeHash)
      return { outcome: 'otp_invalid' }
    }
    await deps.emailOtps.consume(em, owner)
    if (!now.verifiedAt) await deps.people.proveEmail(em, now)
    return { outcome: 'verified' }
  })
  const proved = verified(answer, identity)
  await deps.logAccess(tenant.id, person.id, 'verify-email-otp')
  return proved
}

/** The address that was proved. Throws the refusal that a try was answered with. */
function verified({ outcome }: Verdict, { value: email }: { value: string }): { email: string } {
  if (outcome !== 'verified') throw new AppError(outcome)
  return { email }
}
