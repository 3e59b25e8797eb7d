import { run, type Database } from '../../../../../kernel/database.js'
import { removeOldRows } from '../../../../../kernel/remove-old-rows.js'

/** What a challenge is signed for: to sign in, to prove who is signed in, or to add a passkey. */
export type ChallengePurpose = 'sign-in' | 'prove' | 'add'

/** For whom a challenge is: a session by its id, or the browser that signs in by the hash of its cookie. */
export interface ChallengeOwner {
  owner: string
  purpose: ChallengePurpose
}

const KEEP = {
  name: 'keep_passkey_challenge',
  text: `insert into accounts.passkey_challenge (owner, purpose, challenge, expires_at) values ($1, $2, $3, $4::timestamptz)
    on conflict (owner, purpose) do update set challenge = excluded.challenge, expires_at = excluded.expires_at`,
}
const TAKE = {
  name: 'take_passkey_challenge',
  text: `delete from accounts.passkey_challenge where owner = $1 and purpose = $2
    returning challenge, expires_at > $3::timestamptz as "isGood"`,
}

export type ChallengesStore = ReturnType<typeof challengesStore>

/** Challenges that wait for a signature. */
export function challengesStore(db: Database) {
  return {
    /** Keeps a challenge; an earlier one of the same owner and purpose is worthless. */
    async keep({ owner, purpose }: ChallengeOwner, challenge: string, expiresAt: Date): Promise<void> {
      await run(db.pool, KEEP, [owner, purpose, challenge, expiresAt.toISOString()])
    },

    /** Takes the challenge away, by one statement: whatever is answered to it is looked at once. */
    async take({ owner, purpose }: ChallengeOwner, now: Date): Promise<string | undefined> {
      const [row] = await run<{ challenge: string; isGood: boolean }>(db.pool, TAKE, [
        owner,
        purpose,
        now.toISOString(),
      ])
      return row?.isGood === true ? row.challenge : undefined
    },

    /** Removes what nobody has answered. */
    forget(now: Date): Promise<void> {
      const where = 'expires_at <= $1::timestamptz'
      return removeOldRows(db.pool, { table: 'accounts.passkey_challenge', where }, [now.toISOString()])
    },
  }
}
