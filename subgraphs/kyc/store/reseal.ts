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
  /** The columns of its primary key, in their order: its index finds the next rows, and each of them. */
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
    key: ['tenant_id', 'person_id', 'sequence'],
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
  const names = key.join(', ')
  const behind = after ? `and (${names}) > (${after.map((_, index) => `$${index + 1}`).join(', ')})` : ''
  const text = `select array[${key.map((name) => `${name}::text`).join(', ')}] as key, ${column} as sealed from ${table}
    where ${column} is not null ${behind} order by ${names} limit ${BATCH}`
  const name = `kyc_reseal_${table}_${column}_${after ? 'next' : 'first'}`
  return run<SealedRow>(pool, { name, text }, [...(after ?? [])])
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
  const sets = [`${column} = $2`, ...(hash ? [`${hash.column} = $3`] : [])]
  const values: unknown[] = [sealed, vault.seal(plain, context)]
  if (hash) values.push(vault.identityHash(hash.kind, key[0] ?? '', plain))
  const isRow = names.map((name, index) => `${name} = $${values.length + index + 1}`).join(' and ')
  // Only where nobody has changed it meanwhile: what is written now is sealed with the current key anyway.
  const text = `update ${table} set ${sets.join(', ')} where ${isRow} and ${column} = $1`
  const { rowCount } = await pool.query(text, [...values, ...key])
  return (rowCount ?? 0) > 0
}
