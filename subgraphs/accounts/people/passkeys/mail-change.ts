import type { Transaction } from '../../../../kernel/database.js'
import { addJob, type JobKind } from '../../../../kernel/jobs.js'
import type { PeopleDeps } from '../deps.js'
import type { InvitationLanguage } from '../invitation-message.js'
import { passkeyMessage, type PasskeyChange } from './passkey-message.js'

const TELL_PASSKEY = 'tell-passkey-change'

/** With the seconds that graphile-worker waits in between, this is some hours: a mail server comes back by then. */
const MAX_ATTEMPTS = 10

/** Who changed a passkey of their own, and from where. */
export interface PasskeyActor {
  id: string
  from?: { address: string; agent: string }
  /** The language of the page on which it was done; English where it is not known. */
  language?: InvitationLanguage | null
}

/** Which e-mail is to be sent. The address is the person's then. */
interface ChangeMail {
  personId: string
  passkeyId: string
  change: PasskeyChange
  name: string
  /** ISO 8601. */
  at: string
  address: string | null
  agent: string | null
  language: InvitationLanguage
}

/** Has the person told of a passkey by e-mail, by a job of the transaction in which it was added or removed. */
export async function mailChange(
  deps: Pick<PeopleDeps, 'clock'>,
  em: Transaction,
  { id: personId, from, language }: PasskeyActor,
  passkey: { id: string; name: string },
  change: PasskeyChange,
): Promise<void> {
  const payload: ChangeMail = {
    ...{ personId, passkeyId: passkey.id, change, name: passkey.name, at: deps.clock.now().toISOString() },
    ...{ address: from?.address ?? null, agent: from?.agent ?? null, language: language ?? 'en' },
  }
  const key = `${TELL_PASSKEY}:${passkey.id}:${change}`
  await addJob(em, deps.clock, { name: TELL_PASSKEY, payload, key, maxAttempts: MAX_ATTEMPTS })
}

/** The job that sends these e-mails. One that is sent twice after a crash has the same `Message-ID`. */
export function passkeyJobs(deps: Pick<PeopleDeps, 'people' | 'sendMail' | 'settings'>): JobKind<never>[] {
  const send: JobKind<ChangeMail> = {
    name: TELL_PASSKEY,
    maxAttempts: MAX_ATTEMPTS,
    run: async ({ personId, passkeyId, at, language, ...facts }) => {
      const to = (await deps.people.emailsOf([personId])).get(personId)
      if (to === undefined) return
      await deps.sendMail({
        to,
        messageName: `passkey-${facts.change}-${passkeyId}`,
        ...passkeyMessage({ ...facts, at: new Date(at), link: deps.settings.consoleUrl }, language),
      })
    },
  }
  return [send]
}
