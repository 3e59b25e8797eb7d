import { withTimes, type RowOf } from '../../../../../kernel/columns.js'
import { executeIn, run, type Database, type Transaction } from '../../../../../kernel/database.js'

/** A passkey as its person sees it. */
export interface ListedPasskey {
  id: string
  name: string
  createdAt: Date
  /** When it signed in or proved last; null for never. */
  lastUsedAt: Date | null
}

/** What a signature is checked with. */
export interface StoredPasskey {
  id: string
  personId: string
  email: string
  /** base64url, as the authenticator names it. */
  credentialId: string
  /** COSE, base64url. */
  publicKey: string
  transports: readonly string[]
}

export type NewPasskey = Omit<StoredPasskey, 'email'> & { name: string; counter: number; now: Date }

const LISTED = 'id, name, created_at as "createdAt", last_used_at as "lastUsedAt"'
const LIST = {
  name: 'own_passkeys',
  text: `select ${LISTED} from accounts.passkey where person_id = $1 order by created_at desc, id limit 100`,
}
const FIND = {
  name: 'passkey_of_credential',
  text: `select passkey.id, person_id as "personId", email, credential_id as "credentialId", public_key as "publicKey",
    array_to_json(transports)::text as transports
    from accounts.passkey join accounts.person on person.id = person_id where credential_id = $1`,
}
const OF_PERSON = {
  name: 'credentials_of_person',
  text: `select credential_id as "credentialId", array_to_json(transports)::text as transports
    from accounts.passkey where person_id = $1 order by created_at desc limit 100`,
}
const RENAME = {
  name: 'rename_own_passkey',
  text: `update accounts.passkey set name = $3 where person_id = $1 and id = $2 returning ${LISTED}`,
}
const REMOVE = `delete from accounts.passkey where person_id = ? and id = ? returning ${LISTED}`
const ADD = `insert into accounts.passkey
  (id, person_id, credential_id, public_key, counter, transports, name, created_at)
  values (?, ?, ?, ?, ?, string_to_array(?, ','), ?, ?::timestamptz) on conflict (credential_id) do nothing returning ${LISTED}`

/** Authenticators that do not count say 0 for ever; the count of any other only grows (WebAuthn Level 3, 6.1.1). */
const USE = `update accounts.passkey set counter = ?, last_used_at = ?::timestamptz
  where id = ? and (counter < ? or (counter = 0 and ? = 0)) returning id`

export type PasskeysStore = ReturnType<typeof passkeysStore>

/** The passkeys of people: public keys and counts, nothing that is secret. */
export function passkeysStore(db: Database) {
  return {
    /** The passkeys of a person, newest first. */
    list: async (personId: string): Promise<ListedPasskey[]> =>
      (await run<ListedRow>(db.pool, LIST, [personId])).map(listed),

    async find(credentialId: string): Promise<StoredPasskey | undefined> {
      const [row] = await run<Omit<StoredPasskey, 'transports'> & { transports: string }>(db.pool, FIND, [credentialId])
      return row && { ...row, transports: JSON.parse(row.transports) as string[] }
    },

    /** What a person's authenticators are asked for by. */
    async credentialsOf(personId: string): Promise<Pick<StoredPasskey, 'credentialId' | 'transports'>[]> {
      const rows = await run<{ credentialId: string; transports: string }>(db.pool, OF_PERSON, [personId])
      return rows.map((row) => ({ ...row, transports: JSON.parse(row.transports) as string[] }))
    },

    async count(em: Transaction, personId: string): Promise<number> {
      const sql = 'select count(*)::int as had from accounts.passkey where person_id = ?'
      const [row] = await executeIn<{ had: number }>(em, sql, [personId])
      return row?.had ?? 0
    },

    /** @returns undefined where the credential is somebody's already */
    async add(em: Transaction, passkey: NewPasskey): Promise<ListedPasskey | undefined> {
      const { id, personId, credentialId, publicKey, counter, transports, name, now } = passkey
      const values = [id, personId, credentialId, publicKey, counter, transports.join(','), name, now.toISOString()]
      const [row] = await executeIn<ListedRow>(em, ADD, values)
      return row && listed(row)
    },

    /** Notes a use with the authenticator's count. @returns false where the count went back, or the passkey is gone */
    async use(em: Transaction, id: string, counter: number, now: Date): Promise<boolean> {
      return (await executeIn(em, USE, [counter, now.toISOString(), id, counter, counter])).length > 0
    },

    async isKept(em: Transaction, id: string): Promise<boolean> {
      return (await executeIn(em, 'select id from accounts.passkey where id = ?', [id])).length > 0
    },

    /** @returns what it is now; undefined where the person has none of that id */
    async rename(personId: string, id: string, name: string): Promise<ListedPasskey | undefined> {
      const [row] = await run<ListedRow>(db.pool, RENAME, [personId, id, name])
      return row && listed(row)
    },

    /** @returns what it was; undefined where the person has none of that id */
    async remove(em: Transaction, personId: string, id: string): Promise<ListedPasskey | undefined> {
      const [row] = await executeIn<ListedRow>(em, REMOVE, [personId, id])
      return row && listed(row)
    },
  }
}

type ListedRow = RowOf<ListedPasskey>

function listed(row: ListedRow): ListedPasskey {
  return withTimes(row, ['createdAt', 'lastUsedAt']) as ListedPasskey
}
