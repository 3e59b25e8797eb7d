import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { systemClock } from '../../../kernel/clock.js'
import { inTransaction, openDatabase, type Database } from '../../../kernel/database.js'
import { idSource } from '../../../kernel/ids.js'
import { createLog } from '../../../kernel/log.js'
import { ownDatabase } from '../../../test/harness/database.js'
import { openKycDatabase } from '../context.js'
import { createVault, type Vault } from '../vault.js'
import { linkedEmailsStore } from './linked-emails.js'
import { createKyc } from './migrations/0001-kyc.js'
import { identityContext, peopleStore } from './people.js'
import { reseal } from './reseal.js'
import { ending } from '../../../test/harness/at-end.js'

const log = createLog('silent')
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const EMAIL = { kind: 'email', value: 'ana@example.com' } as const
const WALLET = { kind: 'wallet', value: '0xAa0000000000000000000000000000000000000a', chain: 'evm' } as const

/** The schema as it was when one person could have an address and a wallet, with one who is approved by nobody knows which. */
async function seedJoined(url: string, vault: Vault): Promise<void> {
  const migrations = [{ name: '0001-kyc', statements: createKyc }]
  const db = await openDatabase({ url, schema: 'kyc', entities: [], migrations, poolSize: 2, log })
  const sealed = (kind: 'email' | 'wallet', value: string): string[] => [
    vault.identityHash(kind, 't', value),
    vault.seal(value, identityContext(kind, 't', 'c1')),
  ]
  await db.pool.query(
    `insert into kyc.person (tenant_id, id, email_hash, email_sealed, email_verified_at, wallet_hash, wallet_sealed, wallet_chain,
      wallet_verified_at, status, session_id, approved_until, sequence, created_at, updated_at)
      values ('t', 'c1', $1, $2, now(), $3, $4, 'evm', now(), 'approved', 's1', now() + interval '1 year', 2, now(), now())`,
    [...sealed('email', EMAIL.value), ...sealed('wallet', WALLET.value)],
  )
  await db.pool.query(`insert into kyc.email_otp values ('t', 'c1', 'hash', 0, now())`)
  await db.close()
}

async function expectLinked(db: Database, vault: Vault): Promise<void> {
  const people = peopleStore(db, vault, systemClock, idSource(systemClock.now))
  const linkedEmails = linkedEmailsStore(vault, systemClock)
  expect(await people.find('t', EMAIL)).toBeUndefined()
  const person = await people.find('t', WALLET)
  expect(person).toMatchObject({ id: 'c1', status: 'pending', sessionId: null, approvedUntil: null })
  expect(person).toMatchObject({ hasLinkedEmail: true, sequence: 2 })
  // A provider that has an unfinished session of the address's owner must not give it to the wallet.
  expect(person?.subjectRef).not.toBe('c1')
  await inTransaction(db, async (em) => {
    expect(await linkedEmails.holder(em, 't', EMAIL)).toBe('c1')
    if (person) expect(await linkedEmails.isProved(em, person)).toBe(false)
  })
}

it('a person who had an address and a wallet keeps the wallet, the address as a link, and no approval', async () => {
  const { url } = await ownDatabase()
  await seedJoined(url, createVault([oldKey]))
  const db = ending(await openKycDatabase({ url, poolSize: 2, log }))
  await expectLinked(db, createVault([oldKey]))
  expect((await db.pool.query('select 1 from kyc.email_otp')).rows).toEqual([])
  // Both sealed identities open, and the link is found, once the master key is another one.
  expect(await reseal(db, createVault([newKey, oldKey]))).toBe(2)
  await expectLinked(db, createVault([newKey]))
})

it('a link is seen as proved also while a master key is rotated, and the two rows have hashes of different keys', async () => {
  const { url } = await ownDatabase()
  const db = ending(await openKycDatabase({ url, poolSize: 2, log }))
  const newId = idSource(systemClock.now)
  const prepare = (masterKeys: readonly Buffer[], identity: typeof EMAIL | typeof WALLET, linked: boolean) =>
    inTransaction(db, async (em) => {
      const vault = createVault(masterKeys)
      const people = peopleStore(db, vault, systemClock, newId)
      const provedAt = new Date(Date.now() + (linked ? 0 : 1_000))
      const person = await people.setIdentity(em, await people.create(em, 't'), identity, provedAt)
      if (linked) await linkedEmailsStore(vault, systemClock).link(em, person, EMAIL)
      return person
    })
  const wallet = await prepare([oldKey], WALLET, true)
  await prepare([newKey, oldKey], EMAIL, false)
  const linkedEmails = linkedEmailsStore(createVault([newKey, oldKey]), systemClock)
  expect(await inTransaction(db, (em) => linkedEmails.isProved(em, wallet))).toBe(true)
  expect(await inTransaction(db, (em) => linkedEmails.isProved(em, { ...wallet, tenantId: 'other' }))).toBe(false)
})
