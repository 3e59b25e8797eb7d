import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startKycHarness } from '../../test/harness/kyc.js'
import { newSession, recordWhen } from '../../test/harness/kyc-sessions.js'
import { kycCli } from './cli/kyc-cli.js'
import { runCli } from '../../test/harness/run-cli.js'
import { readDocumentNumber } from './verifiers/didit/document-number.js'

const [key, newKey] = [randomBytes(32), randomBytes(32)]
const harness = await startKycHarness({ masterKeys: [key] })
const ANA = '52998224725'
const BIA = '11144477735'

async function verified(decision: object): Promise<string> {
  const { email, sessionId } = await newSession(harness)
  await harness.decide(sessionId, { status: 'Approved', ...decision })
  await recordWhen(harness, email, 'Approved')
  return email
}

const compared = async (email: string, document: string, by: Pick<typeof harness, 'must'> = harness) =>
  (await by.must('kycDocumentStanding', { email, document }))['comparison']

describe("a payer's tax id beside the verified person's document", () => {
  it('is equal, different, or unknown where the verifier shows none', async () => {
    const shown = await verified({ document: '529.982.247-25' })
    expect(await compared(shown, ANA)).toBe('EQUAL')
    expect(await compared(shown, BIA)).toBe('DIFFERENT')
    expect(await compared(await verified({}), BIA)).toBe('UNKNOWN')
    expect(await compared('nobody@example.com', BIA)).toBe('UNKNOWN')
  })

  it('is unknown of a person who is not approved, and for a tenant without the product', async () => {
    const { email, sessionId } = await newSession(harness)
    await harness.decide(sessionId, { status: 'Declined', document: ANA })
    await recordWhen(harness, email, 'Declined')
    expect(await compared(email, BIA)).toBe('UNKNOWN')
    const kept = `select 1 from kyc.session where provider_status = 'Declined' and document_hash is not null`
    expect(await harness.query(kept)).toEqual([])
    const shown = await verified({ document: ANA })
    const asked = { email: shown, document: BIA }
    expect(await harness.must('kycDocumentStanding', asked, { products: [] })).toEqual({ comparison: 'UNKNOWN' })
    expect(await harness.must('kycDocumentStanding', asked, { tenantId: 'other' })).toEqual({ comparison: 'UNKNOWN' })
  })

  it('is kept as a keyed hash only, which is erased with the person', async () => {
    const email = await verified({ document: ANA })
    const sessions = 'select * from kyc.session where document_hash is not null'
    const before = await harness.query(sessions)
    for (const table of ['session', 'person', 'person_event', 'provider_event', 'access_log'])
      expect(JSON.stringify(await harness.query(`select * from kyc.${table}`))).not.toContain(ANA)
    const env = { DATABASE_URL: harness.databaseUrl, MASTER_KEY: key.toString('hex') }
    const erased = await runCli(kycCli, ['erase', '--tenant', 'tenant', '--email', email], env)
    expect(erased.exitCode).toBe(0)
    expect((await harness.query(sessions)).length).toBe(before.length - 1)
  })

  it('is compared while a key is rotated, and unknown once the key is gone, until the provider is asked again', async () => {
    const email = await verified({ document: ANA })
    const both = await harness.reopen([newKey, key])
    expect(await compared(email, BIA, both)).toBe('DIFFERENT')
    const keys = { MASTER_KEY: newKey.toString('hex'), MASTER_KEY_PREVIOUS: key.toString('hex') }
    const env = { DATABASE_URL: harness.databaseUrl, ...keys }
    expect((await runCli(kycCli, ['rotate'], env)).exitCode).toBe(0)
    const later = await harness.reopen([newKey])
    expect(await compared(email, BIA, later)).toBe('UNKNOWN')
    harness.clock.advance(2 * 86_400_000)
    expect(await compared(email, BIA, await harness.reopen([newKey]))).toBe('DIFFERENT')
  })
})

describe('the document in an answer of Didit', () => {
  const lookup = (outcome: string, source: object) => ({ outcome_code: outcome, source_data: source })

  it('is what a look-up has found, before what stood on the document', () => {
    const found = lookup('MATCH', { identification_number: '529.982.247-25' })
    expect(readDocumentNumber([found], [{ personal_number: BIA }])).toBe(ANA)
    expect(readDocumentNumber([{ validations: [found] }], [])).toBe(ANA)
    expect(readDocumentNumber([], [{ document_number: ANA, personal_number: BIA }])).toBe(BIA)
  })

  it('is none where a look-up did not match, or a number is no CPF', () => {
    expect(readDocumentNumber([lookup('NO_MATCH', { identification_number: ANA })], [])).toBeNull()
    expect(readDocumentNumber([], [{ document_number: 'SPECIMEN-0042', personal_number: '52998224724' }])).toBeNull()
    expect(readDocumentNumber([lookup('MATCH', { tax_number: 7 })], [{ personal_number: null }])).toBeNull()
  })
})
