import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, type Database } from '../../../kernel/database.js'
import { removeOldRows } from '../../../kernel/remove-old-rows.js'

/** A challenge as it was given out; the message itself is only compared, so its keyed hash is enough. */
export interface WalletChallenge {
  messageHash: string
  expiresAt: Date
  isUsed: boolean
}

export type WalletChallengesStore = ReturnType<typeof walletChallengesStore>

/** Challenges for wallets; each works once. */
export function walletChallengesStore({ pool }: Database, clock: Clock) {
  return {
    async add(em: EntityManager, tenantId: string, nonce: string, messageHash: string, expiresAt: Date): Promise<void> {
      const sql =
        'insert into kyc.wallet_challenge (tenant_id, nonce, message_hash, expires_at) values (?, ?, ?, ?::timestamptz)'
      await executeIn(em, sql, [tenantId, nonce, messageHash, expiresAt.toISOString()])
    },

    async find(tenantId: string, nonce: string): Promise<WalletChallenge | undefined> {
      const sql = `select message_hash as "messageHash", expires_at as "expiresAt", used_at is not null as "isUsed"
        from kyc.wallet_challenge where tenant_id = $1 and nonce = $2`
      const { rows } = await pool.query<Omit<WalletChallenge, 'expiresAt'> & { expiresAt: string }>(sql, [
        tenantId,
        nonce,
      ])
      const [row] = rows
      return row && { ...row, expiresAt: new Date(row.expiresAt) }
    },

    /** Uses a challenge up, in one statement; false where another request has, or it has expired. */
    async consume(em: EntityManager, tenantId: string, nonce: string): Promise<boolean> {
      const now = clock.now().toISOString()
      const sql = `update kyc.wallet_challenge set used_at = ?::timestamptz
        where tenant_id = ? and nonce = ? and used_at is null and expires_at > ?::timestamptz returning 1 as used`
      return (await executeIn(em, sql, [now, tenantId, nonce, now])).length > 0
    },

    /** Removes challenges that have been over for a day. */
    async removeOld(): Promise<void> {
      const before = new Date(clock.now().getTime() - 86_400_000).toISOString()
      await removeOldRows(pool, { table: 'kyc.wallet_challenge', where: 'expires_at < $1::timestamptz' }, [before])
    },
  }
}
