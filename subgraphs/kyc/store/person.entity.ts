import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql'
import { columnsOf, withTimes, type RowOf, type Selected } from '../../../kernel/columns.js'
import type { KycStatus } from '../domain/kyc-status.js'

/** What a tenant's verification is of. */
const shown = {
  tenantId: p.string().primary(),
  id: p.string().primary(),
  /** Of the session that counts; read it through `statusNow`, as an approval holds for a time only. */
  status: p.string().$type<KycStatus>(),
  /** The session that counts, by our id; null before the first one. */
  sessionId: p.string().nullable(),
  approvedUntil: p.datetime(3).nullable(),
  /** Of the person's last event; 0 before the first one. */
  sequence: p.integer(),
  createdAt: p.datetime(3),
  updatedAt: p.datetime(3),
}

/** A person's row. It has one identity, an e-mail address or a wallet: a hash to find it by, and sealed to read it. */
export const PersonEntity = defineEntity({
  name: 'Person',
  tableName: 'person',
  properties: {
    ...shown,
    emailHash: p.string().nullable(),
    emailSealed: p.text().nullable(),
    emailVerifiedAt: p.datetime(3).nullable(),
    walletHash: p.string().nullable(),
    walletSealed: p.text().nullable(),
    walletChain: p.string().$type<'evm' | 'solana'>().nullable(),
    walletVerifiedAt: p.datetime(3).nullable(),
    /** An address that a wallet's person has named: a note that says nothing about its owner. */
    linkedEmailHash: p.string().nullable(),
    linkedEmailSealed: p.text().nullable(),
    linkedEmailAt: p.datetime(3).nullable(),
    /** Null: providers know the person by `id`. */
    subjectRef: p.string().nullable(),
  },
})

/** A person or business of a tenant, without their e-mail address or wallet. */
export interface Person extends Selected<InferEntity<typeof PersonEntity>, keyof typeof shown> {
  /** When the e-mail address or the wallet that they are known by was proved; null before. */
  verifiedAt: Date | null
  /** Whether this is a wallet's person who has sent an e-mail address along. */
  hasLinkedEmail: boolean
  /** What verification providers know them by: opaque. */
  subjectRef: string
}

/** The columns of a person, as `personFromRow` takes them. */
export const PERSON_COLUMNS = `${columnsOf(Object.keys(shown))}, coalesce(email_verified_at, wallet_verified_at) as "verifiedAt",
  linked_email_hash is not null as "hasLinkedEmail", coalesce(subject_ref, id) as "subjectRef"`

export type PersonRow = RowOf<Person>

const TIMES = ['verifiedAt', 'approvedUntil', 'createdAt', 'updatedAt'] as const satisfies readonly (keyof Person)[]

/** A person as the database has them; the row becomes it. */
export function personFromRow(row: PersonRow): Person {
  return withTimes(row, TIMES) as Person
}
