import type { EntityManager } from '@mikro-orm/postgresql'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn } from '../../../kernel/database.js'
import type { Identity } from '../domain/identity.js'
import type { Vault } from '../vault.js'
import { identityContext } from './people.js'
import type { Person } from './person.entity.js'

/** Linked again, an address keeps the time of its first link, and has the hash and the seal of the present key. */
const LINK = `update kyc.person set linked_email_hash = ?, linked_email_sealed = ?,
  linked_email_at = coalesce(linked_email_at, ?::timestamptz) where tenant_id = ? and id = ?`

const HOLDER = `select id from kyc.person where tenant_id = ? and linked_email_hash = any(string_to_array(?, ','))`

const LINKED = `select linked_email_sealed as sealed, linked_email_at as "linkedAt" from kyc.person
  where tenant_id = ? and id = ? and linked_email_sealed is not null`

const PROVED_SINCE = `select 1 as proved from kyc.person where tenant_id = ?
  and email_hash = any(string_to_array(?, ',')) and email_verified_at > ?::timestamptz`

const UNLINK = `update kyc.person set linked_email_hash = null, linked_email_sealed = null, linked_email_at = null
  where tenant_id = ? and linked_email_hash = any(string_to_array(?, ',')) returning id`

export type LinkedEmailsStore = ReturnType<typeof linkedEmailsStore>

/** Addresses that wallets' people have named: notes that say nothing about who owns the address. */
export function linkedEmailsStore(vault: Vault, clock: Clock) {
  const hashesOf = (tenantId: string, email: string): string => vault.identityHashes('email', tenantId, email).join(',')

  return {
    /** The id of the wallet's person that has an address linked. Exact behind `people.lockIdentities` of the address. */
    async holder(em: EntityManager, tenantId: string, { value }: Identity): Promise<string | undefined> {
      const [row] = await executeIn<{ id: string }>(em, HOLDER, [tenantId, hashesOf(tenantId, value)])
      return row?.id
    },

    async link(em: EntityManager, { tenantId, id }: Person, { value }: Identity): Promise<void> {
      const hash = vault.identityHash('email', tenantId, value)
      const sealed = vault.seal(value, identityContext('email', tenantId, id))
      await executeIn(em, LINK, [hash, sealed, clock.now().toISOString(), tenantId, id])
    },

    /** Whether a wallet's person has an address linked that was proved by its own code after that. */
    async isProved(em: EntityManager, { tenantId, id }: Person): Promise<boolean> {
      const [row] = await executeIn<{ sealed: string; linkedAt: string }>(em, LINKED, [tenantId, id])
      if (!row) return false
      // Opened and hashed anew: while a key is rotated, the two rows may have hashes of different keys.
      const email = vault.open(row.sealed, identityContext('email', tenantId, id))
      const proved = await executeIn(em, PROVED_SINCE, [tenantId, hashesOf(tenantId, email), row.linkedAt])
      return proved.length > 0
    },

    /** Removes the link to an address; gives the id of the wallet's person that had it. */
    async unlink(em: EntityManager, tenantId: string, { value }: Identity): Promise<string | undefined> {
      const [row] = await executeIn<{ id: string }>(em, UNLINK, [tenantId, hashesOf(tenantId, value)])
      return row?.id
    },
  }
}
