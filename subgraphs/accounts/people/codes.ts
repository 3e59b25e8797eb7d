import { codeMessage } from '../../../kernel/code-message.js'
import { equalTexts } from '../../../kernel/equal-texts.js'
import { AppError } from '../../../kernel/errors.js'
import { hmacSha256 } from '../../../kernel/hmac.js'
import type { PeopleDeps } from './deps.js'
import type { CodeOwner, CodePurpose } from './store/codes.js'

const SUBJECTS: Readonly<Record<CodePurpose, string>> = {
  'sign-in': 'Your sign-in code',
  prove: 'Your confirmation code',
}
const CODE_LIFE_MS = 10 * 60_000
/**
 * What an address is sent at most of each purpose. Each code is five guesses and an e-mail to its owner: a day has 100 and 20.
 * Anyone can ask for a code to sign in, only a session for one to prove: no stranger uses up what its person needs.
 */
const SENDS_MAX = { late: 5, day: 20 }
const LATE_MS = 15 * 60_000
const DAY_MS = 86_400_000

type SendCodeDeps = Pick<PeopleDeps, 'clock' | 'codes' | 'newCode' | 'sendMail' | 'settings' | 'transaction'>

/**
 * Sends a one-time code to an address, known or not; it makes every earlier one of the same purpose worthless. Only its
 * keyed hash is stored, so the e-mail is sent here and not by a job, which would have to carry the code.
 * @throws otp_rate_limited, provider_unavailable, provider_timeout
 */
export async function sendCode(deps: SendCodeDeps, owner: CodeOwner): Promise<void> {
  const code = deps.newCode()
  const codeHash = hashOf(deps, owner, code)
  const now = deps.clock.now()
  const ago = (ms: number): Date => new Date(now.getTime() - ms)
  await deps.transaction(async (em) => {
    await deps.codes.replace(em, owner, codeHash, new Date(now.getTime() + CODE_LIFE_MS))
    const sends = await deps.codes.sends(em, owner, { late: ago(LATE_MS), day: ago(DAY_MS) })
    if (sends.late >= SENDS_MAX.late || sends.day >= SENDS_MAX.day) throw new AppError('otp_rate_limited')
    await deps.codes.noteSend(em, owner, codeHash, now)
  })
  try {
    const message = codeMessage(SUBJECTS[owner.purpose], code, CODE_LIFE_MS, ', in the console only')
    await deps.sendMail({ to: owner.email, ...message })
  } catch (error) {
    await deps.transaction((em) => deps.codes.withdraw(em, owner.email, codeHash))
    throw error
  }
}

/**
 * Compares a code with the newest that was sent. The try is counted, by one statement of its own, before: however many
 * guesses come at once, five of them are compared.
 * @returns the hash to consume together with what the code is good for; undefined where the code is not right
 */
export async function checkCode(
  deps: Pick<PeopleDeps, 'clock' | 'codes' | 'settings'>,
  owner: CodeOwner,
  code: string,
): Promise<string | undefined> {
  const expected = await deps.codes.attempt(owner, deps.clock.now())
  const given = hashOf(deps, owner, code.trim())
  if (expected === undefined || !equalTexts(given, expected)) return undefined
  return expected
}

/** Removes codes and notes of sends that no limit counts any more. */
export function forgetCodes({ clock, codes }: Pick<PeopleDeps, 'clock' | 'codes'>): Promise<void> {
  return codes.forget(new Date(clock.now().getTime() - DAY_MS))
}

function hashOf({ settings }: Pick<PeopleDeps, 'settings'>, { email, purpose }: CodeOwner, code: string): string {
  return hmacSha256(`${purpose}:${email}:${code}`, settings.codeKey)
}
