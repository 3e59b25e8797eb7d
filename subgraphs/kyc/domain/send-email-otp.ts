import { codeMessage, type CodeLanguage } from '../../../kernel/code-message.js'
import { AppError } from '../../../kernel/errors.js'
import { idempotently } from '../../../kernel/idempotency.js'
import type { Fence } from '../../../kernel/idempotency-lease.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { isUnsentMail } from '../../../kernel/unsent-mail.js'
import type { KycDeps } from '../deps.js'
import type { CodeOwner } from '../store/email-otps.js'
import { assertKycEnabled } from './assert-kyc-enabled.js'
import { codeOwner } from './code-owner.js'
import { emailIdentity, type Identity } from './identity.js'

const SUBJECTS: Readonly<Record<CodeLanguage, string>> = {
  en: 'Your verification code',
  pt: 'O seu código de verificação',
  es: 'Tu código de verificación',
}
const CODE_LIFE_MS = 10 * 60_000
/** What an address is sent at most in a quarter of an hour, for the tenant itself and for each payment's page. */
const LATE_MAX = 5
/**
 * The contract bounds what the tenant itself sends by nothing else. So that nobody guesses for long, no further code is sent after so many
 * wrong tries in a day, as many as 20 codes have.
 */
const WRONG_TRIES_MAX = 100
/**
 * What payments' pages send to an address in a day: each `day`. Anyone with a link can ask for a code on its page: no stranger uses up
 * what the tenant sends. Once all pages together have sent `pages`, each sends its `first` ones still, before they have sent `atMost`: who
 * has a few links keeps no payer of another payment from a code, and who has many sends no more e-mails than that.
 */
const PAGE_SENDS_MAX = { day: 20, pages: 60, first: 2, atMost: 150 }
const SENDS_WINDOWS = { lateMs: 15 * 60_000, dayMs: 86_400_000 }

export interface SendEmailOtpInput {
  email: string
  again?: boolean | null
  /** Of the e-mail; English where left out. */
  language?: CodeLanguage | null
}

type SendEmailOtpDeps = Pick<
  KycDeps,
  'clock' | 'emailOtps' | 'logAccess' | 'newCode' | 'people' | 'pool' | 'sendMail' | 'transaction' | 'vault'
>

/**
 * Sends a one-time code to an e-mail address; it makes every earlier one of the same purpose worthless. Only its keyed hash is stored, so the
 * e-mail is sent here and not by a job, which would have to carry the code.
 * @param input.again also where the address is proved already: somebody else may type it, who has to prove it anew
 * @returns until when the code works
 * @throws product_disabled, user_not_found, email_already_verified, otp_rate_limited, provider_unavailable,
 *   provider_timeout, idempotency_*
 */
export async function sendEmailOtp(
  deps: SendEmailOtpDeps,
  tenant: Tenant,
  { email, again, language: asked }: SendEmailOtpInput,
): Promise<{ expiresAt: Date }> {
  assertKycEnabled(tenant)
  const identity = emailIdentity(email)
  const language = asked ?? 'en'
  const answer = await idempotently<{ expiresAt: string }>(deps, tenant, async (complete, fence) => {
    const code = deps.newCode()
    const { owner, codeHash, expiresAt } = await storeCode(deps, tenant, {
      identity,
      code,
      fence,
      again: again === true,
    })
    try {
      const message = codeMessage({ subject: SUBJECTS[language], code, lifeMs: CODE_LIFE_MS, language })
      await deps.sendMail({ to: identity.value, ...message })
    } catch (error) {
      // A code that may have arrived works, and counts.
      if (isUnsentMail(error)) await deps.transaction((em) => deps.emailOtps.withdraw(em, owner, codeHash))
      throw error
    }
    const sent = { expiresAt: expiresAt.toISOString() }
    await deps.transaction((em) => complete(em, sent))
    await deps.logAccess(tenant.id, owner.id, 'send-email-otp')
    return sent
  })
  return { expiresAt: new Date(answer.expiresAt) }
}

async function storeCode(
  deps: SendEmailOtpDeps,
  tenant: Tenant,
  { identity, code, fence, again }: { identity: Identity; code: string; fence: Fence; again: boolean },
): Promise<{ owner: CodeOwner; codeHash: string; expiresAt: Date }> {
  return deps.transaction(async (em) => {
    await fence(em)
    // The person's row is locked, so that racing sends are counted one after the other.
    const person = await deps.people.lock(em, tenant.id, identity)
    if (!person) throw new AppError('user_not_found')
    if (person.verifiedAt && !again) throw new AppError('email_already_verified')
    const owner = codeOwner(tenant, person)
    const sends = await deps.emailOtps.sends(em, owner, SENDS_WINDOWS)
    const isUsedUp = owner.paymentId === null ? sends.wrongTries >= WRONG_TRIES_MAX : isPageUsedUp(sends)
    if (sends.late >= LATE_MAX || isUsedUp) throw new AppError('otp_rate_limited')
    const expiresAt = new Date(deps.clock.now().getTime() + CODE_LIFE_MS)
    const codeHash = deps.vault.codeHash(tenant.id, person.id, code)
    await deps.emailOtps.replace(em, owner, codeHash, expiresAt)
    return { owner, codeHash, expiresAt }
  })
}

function isPageUsedUp({ day, pages }: { day: number; pages: number }): boolean {
  const pagesMax = day < PAGE_SENDS_MAX.first ? PAGE_SENDS_MAX.atMost : PAGE_SENDS_MAX.pages
  return day >= PAGE_SENDS_MAX.day || pages >= pagesMax
}
