import type { Transaction } from '../../../kernel/database.js'
import { codeMessage } from '../../../kernel/code-message.js'
import { equalTexts } from '../../../kernel/equal-texts.js'
import { AppError } from '../../../kernel/errors.js'
import { hmacSha256 } from '../../../kernel/hmac.js'
import { isUnsentMail } from '../../../kernel/unsent-mail.js'
import type { PeopleDeps } from './deps.js'
import type { InvitationLanguage } from './invitation-message.js'
import type { CodeAsker, CodeOwner, CodePurpose, CodeSends } from './store/codes.js'

const SUBJECTS: Readonly<Record<InvitationLanguage, Readonly<Record<CodePurpose, string>>>> = {
  en: { 'sign-in': 'Your sign-in code', prove: 'Your confirmation code' },
  pt: { 'sign-in': 'O seu código de acesso', prove: 'O seu código de confirmação' },
}
const WHERE: Readonly<Record<InvitationLanguage, string>> = { en: ', in the console only', pt: ', só no console' }
const CODE_LIFE_MS = 10 * 60_000
/**
 * What an address is sent at most of each purpose: to each browser in which its person has signed in of late, and to all other browsers
 * of a network together, as anyone has as many of those as he likes. Each code is five guesses and an e-mail: a day has 100 and 20.
 */
const SENDS_MAX = { late: 5, day: 20 }
/**
 * What an address is sent in a day for browsers in which its person has not signed in, from all networks together: `day`, and after
 * those each network's `first` ones still, before all have had `atMost`. So strangers guess 500 times a day at most, and a stranger with a
 * few networks keeps nobody out; one with many keeps the person from signing in by code in browsers where he has not done so before.
 */
const STRANGE_MAX = { day: 60, first: 2, atMost: 100 }
const LATE_MS = 15 * 60_000
const DAY_MS = 86_400_000
/** How long a browser is known after the last sign-in by code. */
const BROWSER_KNOWN_MS = 90 * DAY_MS

type SendCodeDeps = Pick<
  PeopleDeps,
  'clock' | 'codes' | 'knownBrowsers' | 'newCode' | 'sendMail' | 'settings' | 'transaction'
>

/** From where a code is asked for. */
export interface CodeAsked {
  network?: string
  language: InvitationLanguage
}

/**
 * Sends a one-time code to an address, known or not; it makes every earlier one of the same owner worthless. Only its
 * keyed hash is stored, so the e-mail is sent here and not by a job, which would have to carry the code.
 * @param asked.network from where somebody asks who is not signed in
 * @param asked.language of the page on which the code is asked for
 * @throws otp_rate_limited, provider_unavailable, provider_timeout
 */
export async function sendCode(deps: SendCodeDeps, owner: CodeOwner, asked: CodeAsked): Promise<void> {
  const { network = '', language } = asked
  const code = deps.newCode()
  const codeHash = hashOf(deps, owner, code)
  const now = deps.clock.now()
  const ago = (ms: number): Date => new Date(now.getTime() - ms)
  await deps.transaction(async (em) => {
    await deps.codes.lock(em, owner)
    const asker = await askerOf(deps, em, owner, network)
    const sends = await deps.codes.sends(em, owner, asker, { late: ago(LATE_MS), day: ago(DAY_MS) })
    if (isUsedUp(sends, asker)) throw new AppError('otp_rate_limited')
    await deps.codes.replace(em, owner, codeHash, new Date(now.getTime() + CODE_LIFE_MS))
    await deps.codes.noteSend(em, owner, asker, { codeHash, at: now })
  })
  try {
    const message = codeMessage({
      subject: SUBJECTS[language][owner.purpose],
      code,
      lifeMs: CODE_LIFE_MS,
      language,
      where: WHERE[language],
    })
    await deps.sendMail({ to: owner.email, ...message })
  } catch (error) {
    // A code that may have arrived works, and counts.
    if (isUnsentMail(error)) await deps.transaction((em) => deps.codes.withdraw(em, owner, codeHash))
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

/** Removes codes and notes of sends that no limit counts any more, and browsers that are not known any more. */
export async function forgetCodes({
  clock,
  codes,
  knownBrowsers,
}: Pick<PeopleDeps, 'clock' | 'codes' | 'knownBrowsers'>): Promise<void> {
  const now = clock.now().getTime()
  await codes.forget(new Date(now - DAY_MS))
  await knownBrowsers.forget(new Date(now - BROWSER_KNOWN_MS))
}

/** A code to prove takes a session, so its address is the asker. What is asked of the database is the same for every address. */
async function askerOf(
  { clock, knownBrowsers }: Pick<PeopleDeps, 'clock' | 'knownBrowsers'>,
  em: Transaction,
  { email, purpose, browserHash }: CodeOwner,
  network: string,
): Promise<CodeAsker> {
  if (purpose === 'prove') return { askedFrom: '', isStrange: false }
  const since = new Date(clock.now().getTime() - BROWSER_KNOWN_MS)
  return (await knownBrowsers.isKnown(em, { email, browserHash }, since))
    ? { askedFrom: `browser:${browserHash}`, isStrange: false }
    : { askedFrom: `network:${network}`, isStrange: true }
}

function isUsedUp({ late, day, strange }: CodeSends, { isStrange }: CodeAsker): boolean {
  const strangeMax = day < STRANGE_MAX.first ? STRANGE_MAX.atMost : STRANGE_MAX.day
  return late >= SENDS_MAX.late || day >= SENDS_MAX.day || (isStrange && strange >= strangeMax)
}

function hashOf({ settings }: Pick<PeopleDeps, 'settings'>, { email, purpose }: CodeOwner, code: string): string {
  return hmacSha256(`${purpose}:${email}:${code}`, settings.codeKey)
}
