import { run, type Database } from '../../../kernel/database.js'
import type { Vault } from '../vault.js'
import { identityContext } from './people.js'
import { eventContext } from './person-events.js'
import { callbackContext } from './provider-events.js'
import { sessionContext } from './session.entity.js'

/** A column of sealed texts, and how its rows are named and were sealed. */
interface SealedColumn {
  table: string
  column: string
  key: readonly string[]
  contextOf: (...key: string[]) => string
  /** What a row is found by, which follows from the key too. */
  hash?: { column: string; kind: 'email' | 'wallet' }
}

const PERSON = { table: 'kyc.person', key: ['tenant_id', 'id'] }
const SESSION = { table: 'kyc.session', key: ['tenant_id', 'id'] }

const emailContext = (tenantId: string, id: string): string => identityContext('email', tenantId, id)
const walletContext = (tenantId: string, id: string): string => identityContext('wallet', tenantId, id)

const COLUMNS: readonly SealedColumn[] = [
  { ...PERSON, column: 'email_sealed', contextOf: emailContext, hash: { column: 'email_hash', kind: 'email' } },
  { ...PERSON, column: 'wallet_sealed', contextOf: walletContext, hash: { column: 'wallet_hash', kind: 'wallet' } },
  {
    ...PERSON,
    column: 'linked_email_sealed',
    contextOf: emailContext,
    hash: { column: 'linked_email_hash', kind: 'email' },
  },
  { ...SESSION, column: 'url_sealed', contextOf: (tenantId, id) => `${sessionContext(tenantId, id)}:url` },
  { ...SESSION, column: 'ip_info_sealed', contextOf: (tenantId, id) => `${sessionContext(tenantId, id)}:ip-info` },
  {
    table: 'kyc.person_event',
    column: 'snapshot_sealed',
    key: ['tenant_id', 'person_id', 'sequence::text'],
    contextOf: (tenantId, personId, sequence) => eventContext(tenantId, personId, Number(sequence)),
  },
  { table: 'kyc.provider_event', column: 'body_sealed', key: ['verifier', 'event_key'], contextOf: callbackContext },
]

const BATCH = 500

/**
 * Seals everything again that an earlier master key has sealed, and makes the hashes that people are found by anew. The
 * product may run meanwhile: it opens and finds both. Once this is through, the earlier key is not needed any more.
 * @returns how many texts were sealed again
 */
export async function reseal({ pool }: Pick<Database, 'pool'>, vault: Vault): Promise<number> {
  let count = 0
  for (const column of COLUMNS) {
    let after: readonly string[] | undefined
    for (;;) {
      const rows = await nextRows(pool, column, after)
      for (const { key, sealed } of rows) if (await resealRow(pool, vault, column, { key, sealed })) count += 1
      after = rows.at(-1)?.key
      if (rows.length < BATCH) break
    }
  }
  return count
}

interface SealedRow {
  key: string[]
  sealed: string
}

function nextRows(
  pool: Database['pool'],
  { table, column, key }: SealedColumn,
  after: readonly string[] | undefined,
): Promise<SealedRow[]> {
  const keys = `array[${key.join(', ')}]`
  const text = `select ${keys} as key, ${column} as sealed from ${table}
    where ${column} is not null and ($1::text[] is null or ${keys} > $1::text[]) order by ${keys} limit ${BATCH}`
  return run<SealedRow>(pool, { name: `kyc_reseal_${table}_${column}`, text }, [after ?? null])
}

async function resealRow(
  pool: Database['pool'],
  vault: Vault,
  { table, column, key: names, contextOf, hash }: SealedColumn,
  { key, sealed }: SealedRow,
): Promise<boolean> {
  if (vault.isCurrent(sealed)) return false
  const context = contextOf(...key)
  const plain = vault.open(sealed, context)
  const sets = [`${column} = $3`, ...(hash ? [`${hash.column} = $4`] : [])]
  const values: unknown[] = [sealed, key, vault.seal(plain, context)]
  if (hash) values.push(vault.identityHash(hash.kind, key[0] ?? '', plain))
  // Only where nobody has changed it meanwhile: what is written now is sealed with the current key anyway.
  const text = `update ${table} set ${sets.join(', ')} where array[${names.join(', ')}] = $2::text[] and ${column} = $1`
  const { rowCount } = await pool.query(text, values)
  return (rowCount ?? 0) > 0
}
