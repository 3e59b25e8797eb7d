import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { until } from '../../test/harness/until.js'
import { kycCli } from './cli/kyc-cli.js'
import { runCli } from '../../test/harness/run-cli.js'
import { startKycHarness } from '../../test/harness/kyc.js'
import { newSession, recordWhen } from '../../test/harness/kyc-sessions.js'
import { evmOwner, prove } from '../../test/harness/kyc-wallets.js'

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]

const harness = await startKycHarness({ masterKeys: [oldKey] })

const run = (args: string[], environment = {}) =>
  runCli(kycCli, args, { DATABASE_URL: harness.databaseUrl, MASTER_KEY: oldKey.toString('hex'), ...environment })
const erase = (email: string) => run(['erase', '--tenant', 'tenant', '--email', email])

async function verifiedEmail(): Promise<{ email: string; sessionId: string }> {
  const { email, sessionId } = await newSession(harness)
  await harness.decide(sessionId, { status: 'Approved' })
  await recordWhen(harness, email, 'Approved')
  return { email, sessionId }
}

describe('npm run kyc -- erase', () => {
  it('removes a person here and at the provider, and keeps what the quota and the access log need', async () => {
    const { email, sessionId } = await verifiedEmail()
    const { id } = await harness.must('kycRecord', { email })
    const erased = await erase(email.toUpperCase())
    expect(erased).toMatchObject({ exitCode: 0, err: '' })
    expect(JSON.parse(erased.out)).toEqual({ erased: id, sessions: 1 })
    expect((await harness.send('kycRecord', { email })).code).toBe('KYC_NOT_FOUND')
    expect(await harness.must('kycStanding', { email })).toEqual({ state: 'NO_RECORD' })
    for (const table of ['person', 'email_otp', 'page_otp', 'email_otp_send', 'person_event'])
      expect(
        await harness.query(`select 1 from kyc.${table} where to_jsonb(${table})::text like '%' || $1 || '%'`, [id]),
      ).toEqual([])
    const sessions = await harness.query('select * from kyc.session where tenant_id = $1', ['tenant'])
    expect(sessions).toMatchObject([{ person_id: null, url_sealed: null, ip_info_sealed: null, provider_status: null }])
    const decision = `${harness.simulator.url}/v3/session/${sessionId}/decision/`
    await until('the provider has forgotten', async () => {
      const answer = await fetch(decision, { headers: { 'x-api-key': 'kyc-api-key' } })
      return answer.status === 404
    })
    const log = await harness.query('select actor, operation from kyc.access_log where person_id = $1 order by id', [
      id,
    ])
    expect(log.at(-1)).toEqual({ actor: 'operator', operation: 'erase-person' })
    const anew = await harness.must('prepareKyc', { input: { email } })
    expect(anew).toMatchObject({ created: true, emailVerified: false })
  })

  it('has the provider forget however long it is away', async () => {
    const { email, sessionId } = await verifiedEmail()
    await harness.fault('provider', { mode: 'error' })
    await erase(email)
    await harness.useUpJobs('forget-kyc-session')
    const due = 'select to_forget from kyc.session where to_forget is not null'
    expect(await harness.query(due)).toEqual([{ to_forget: sessionId }])
    await harness.runPeriodic('revive-kyc-jobs')
    const jobs = `select job.id from graphile_worker._private_jobs as job
      join graphile_worker._private_tasks as task on task.id = job.task_id
      where task.identifier = 'forget-kyc-session' and job.attempts < job.max_attempts`
    const added = await harness.query(jobs)
    expect(added).toHaveLength(1)
    // What has a job is not lost: added once more it would begin anew with its tries.
    await harness.runPeriodic('revive-kyc-jobs')
    expect(await harness.query(jobs)).toEqual(added)
    await harness.fault('provider', { mode: 'ok' })
    await until('the provider has forgotten', async () => (await harness.query(due)).length === 0)
    const decision = `${harness.simulator.url}/v3/session/${sessionId}/decision/`
    expect((await fetch(decision, { headers: { 'x-api-key': 'kyc-api-key' } })).status).toBe(404)
  })

  it('has the deliveries forget the person at once, and once more a minute later, for as long as it takes', async () => {
    const { email } = await verifiedEmail()
    const { id } = await harness.must('kycRecord', { email })
    await erase(email)
    const jobs = await harness.query(
      `select round(extract(epoch from job.run_at - job.created_at))::int as seconds, job.max_attempts as tries
        from graphile_worker._private_jobs as job join graphile_worker._private_tasks as task on task.id = job.task_id
        where task.identifier = 'forget-deliveries' and job.payload ->> 'resourceId' = $1 order by job.run_at`,
      [id],
    )
    expect(jobs).toEqual([
      { seconds: 0, tries: 32_767 },
      { seconds: 60, tries: 32_767 },
    ])
  })

  it('removes an address also from the wallet that has named it, and a wallet together with its link', async () => {
    const [owner, email] = [evmOwner(), harness.newEmail()]
    const links = async (): Promise<unknown> => {
      const sql = `select count(*)::int as n from kyc.person where num_nonnulls(linked_email_hash, linked_email_sealed,
        linked_email_at) > 0`
      return (await harness.query(sql))[0]?.['n']
    }
    await prove(harness, owner, { email })
    expect(await links()).toBe(1)
    expect((await run(['erase', '--tenant', 'other', '--email', email])).exitCode).toBe(1)
    expect(await links()).toBe(1)
    expect((await erase(email)).exitCode).toBe(0)
    expect(await links()).toBe(0)
    expect(await harness.must('kycRecord', { wallet: owner.wallet })).toMatchObject({ status: 'PENDING' })
    expect((await prove(harness, owner, { email })).answer).toMatchObject({ created: false, emailVerified: false })
    expect((await run(['erase', '--tenant', 'tenant', '--wallet', owner.wallet])).exitCode).toBe(0)
    expect(await links()).toBe(0)
    expect((await prove(harness, evmOwner(), { email })).code).toBeUndefined()
  })

  it('says what is wrong, in one line, without telling the address', async () => {
    const unknown = await erase('nobody@example.com')
    expect(unknown).toMatchObject({ exitCode: 1, out: '' })
    expect(unknown.err).not.toContain('nobody@example.com')
    expect((await run(['erase', '--tenant', 'tenant'])).exitCode).toBe(2)
    expect((await run(['erase', '--email', 'a@b.co'])).exitCode).toBe(2)
    expect((await run(['remove'])).exitCode).toBe(2)
    expect((await run(['erase', '--tenant', 't', '--email', 'a@b.co'], { MASTER_KEY: '' })).exitCode).toBe(1)
  })

  it('has a session that is asked for again with its idempotency key refused, as of nobody who is known', async () => {
    const email = await harness.provedEmail()
    const key = { idempotencyKey: `session of ${email}` }
    const begin = () => harness.send('createKycSession', { input: { email } }, key)
    expect((await begin()).answer).toMatchObject({ message: 'KYC_SESSION_CREATED' })
    expect((await erase(email)).exitCode).toBe(0)
    expect(await begin()).toMatchObject({ code: 'USER_NOT_PREPARED', replayed: true })
    expect((await harness.send('createKycSession', { input: { email } })).code).toBe('USER_NOT_PREPARED')
  })
})

describe('npm run kyc -- access', () => {
  it('lists who has had access to a person', async () => {
    const email = await harness.provedEmail()
    const { exitCode, out } = await run(['access', '--tenant', 'tenant', '--email', email])
    expect(exitCode).toBe(0)
    const { accesses } = JSON.parse(out) as { accesses: { operation: string }[] }
    expect(accesses.map(({ operation }) => operation)).toEqual(['prepare-kyc', 'send-email-otp', 'verify-email-otp'])
  })

  it('lists also who has named an address along with a wallet', async () => {
    const email = harness.newEmail()
    await prove(harness, evmOwner(), { email })
    const { out } = await run(['access', '--tenant', 'tenant', '--email', email])
    expect(JSON.parse(out)).toMatchObject({ accesses: [{ actor: 'key-of-test', operation: 'prepare-wallet-kyc' }] })
  })
})

describe('npm run kyc -- rotate', () => {
  it('lets the earlier master key go: everybody is found and everything opens with the new one alone', async () => {
    const { email, sessionId } = await verifiedEmail()
    const both = { MASTER_KEY: newKey.toString('hex'), MASTER_KEY_PREVIOUS: oldKey.toString('hex') }
    const { exitCode, out } = await run(['rotate'], both)
    expect(exitCode).toBe(0)
    expect((JSON.parse(out) as { sealed_again: number }).sealed_again).toBeGreaterThan(4)
    expect(JSON.parse((await run(['rotate'], both)).out)).toEqual({ sealed_again: 0 })
    const alone = await harness.reopen([newKey])
    expect(await alone.must('kycRecord', { email })).toMatchObject({ approved: true, sessionId })
    const { id } = await alone.must('kycRecord', { email })
    expect(await alone.must('kycRecordAt', { id, sequence: 2 })).toMatchObject({ sessionId })
  })

  it('is not needed at once: while both keys are set, nobody gets lost', async () => {
    const email = await harness.provedEmail()
    const both = await harness.reopen([newKey, oldKey])
    expect(await both.must('prepareKyc', { input: { email } })).toMatchObject({ created: false, emailVerified: true })
  })
})
