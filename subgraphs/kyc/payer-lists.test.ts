import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../kernel/clock.js'
import { inTransaction } from '../../kernel/database.js'
import { idSource } from '../../kernel/ids.js'
import { createLog } from '../../kernel/log.js'
import type { Tenant } from '../../kernel/tenant.js'
import { ending } from '../../test/harness/at-end.js'
import { KYC_SETTINGS } from '../../test/harness/kyc.js'
import { statementsOf } from '../../test/harness/count-statements.js'
import { migratedDatabase } from '../../test/harness/migrated-database.js'
import { kycContext, openKycDatabase } from './context.js'
import { findPayerVerification } from './domain/find-kyc-record.js'
import { emailIdentity, walletIdentity, type NamedIdentity } from './domain/identity.js'
import { peopleStore } from './store/people.js'
import { createVault } from './vault.js'

const log = createLog('silent')
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
const newId = idSource(systemClock.now)
const db = ending(await openKycDatabase({ url: (await migratedDatabase()).url, poolSize: 4, log }))
const depsOf = kycContext(db, {
  ...{ clock: systemClock, newId, log, verifiers: [], evmClient: undefined, sendMail: () => Promise.resolve() },
  vault: createVault([newKey, oldKey]),
  settings: KYC_SETTINGS,
})

const emailOf = (number: number) => `payer-${number}@example.com`
const walletOf = (number: number) => `0x${String(number).padStart(40, '0')}`
const numbers = Array.from({ length: 20 }, (_, index) => index)

/** Somebody whom a tenant knows by an e-mail address or a wallet, kept while this was the master key. @returns their id */
const known = ({ email, wallet }: NamedIdentity, masterKey: Buffer, tenantId = 'shop'): Promise<string> =>
  inTransaction(db, async (em) => {
    const people = peopleStore(db, createVault([masterKey]), systemClock, newId)
    const identity = typeof email === 'string' ? emailIdentity(email) : walletIdentity(wallet ?? '')
    if (!identity) throw new Error('the wallet is none')
    return (await people.setIdentity(em, await people.create(em, tenantId), identity, new Date())).id
  })

/** What a list shows of its payers, and the statements that looked for people. */
async function list(
  payers: readonly NamedIdentity[],
): Promise<{ ids: (string | undefined)[]; statements: readonly string[] }> {
  const tenant: Tenant = { id: 'shop', products: ['kyc'], requestId: 'test' }
  const deps = depsOf({ requestId: 'test', caller: { tenantId: 'shop', keyId: 'key', products: ['kyc'] } })
  let ids: (string | undefined)[] = []
  const statements = await statementsOf(db.pool, async () => {
    const views = payers.map((payer, index) =>
      findPayerVerification(deps, tenant, { ...payer, paymentId: `payment ${index}` }),
    )
    ids = (await Promise.all(views)).map((view) => view?.id)
  })
  return { ids, statements: statements.filter((name) => name.startsWith('kyc_by_')).toSorted() }
}

describe('the payers of a list of payments', () => {
  it('are found by one statement for e-mail addresses and one for wallets, whatever the master key was', async () => {
    const ids: (string | undefined)[] = []
    const payers: NamedIdentity[] = []
    for (const number of numbers) {
      const payer = number % 2 === 0 ? { email: emailOf(number) } : { wallet: walletOf(number) }
      payers.push(payer)
      ids.push(await known(payer, number % 3 === 0 ? oldKey : newKey))
    }
    await known({ email: 'foreign@example.com' }, newKey, 'another shop')
    payers.push({ email: 'nobody@example.com' }, { email: 'foreign@example.com' }, { email: ` ${emailOf(0)} ` })
    ids.push(undefined, undefined, ids[0])
    expect(await list(payers)).toEqual({ ids, statements: ['kyc_by_email', 'kyc_by_wallet'] })
  })

  it('whose e-mail addresses nobody has proved are looked for by their wallets, all together', async () => {
    const ids: string[] = []
    for (const number of numbers) ids.push(await known({ wallet: walletOf(100 + number) }, newKey))
    const payers = numbers.map((number) => ({ email: emailOf(100 + number), wallet: walletOf(100 + number) }))
    expect(await list(payers)).toEqual({ ids, statements: ['kyc_by_email', 'kyc_by_wallet'] })
  })
})
