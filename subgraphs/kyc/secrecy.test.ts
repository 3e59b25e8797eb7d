import { describe, expect, it } from 'vitest'
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts'
import { pino } from 'pino'
import { startKycHarness } from '../../test/harness/kyc.js'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const harness = await startKycHarness({ log })

describe('the log', () => {
  it('names no address, code, wallet, signature or page, whatever goes right or wrong', async () => {
    const email = await harness.provedEmail()
    const [code = ''] = await harness.codes(email)
    const { session } = await harness.must('createKycSession', { input: { email } })
    const { sessionUrl, sessionId } = session as { sessionUrl: string; sessionId: string }
    await harness.decide(sessionId, { status: 'Approved' })
    const account = privateKeyToAccount(generatePrivateKey())
    const { message } = await harness.must('createWalletChallenge', { input: { wallet: account.address } })
    const signedBytes = await account.signMessage({ message: String(message) })
    await harness.must('prepareWalletKyc', { input: { message, signedBytes } })
    const other = harness.newEmail()
    await harness.must('prepareKyc', { input: { email: other } })
    const outcomes = []
    for (const mode of ['error', 'down']) {
      await harness.fault('mail', { mode, times: 1 })
      outcomes.push(await harness.send('sendEmailOtp', { input: { email: other } }))
      await harness.fault('provider', { mode })
      harness.clock.advance(2 * 86_400_000)
      await harness.must('kycRecord', { email })
      await harness.fault('provider', { mode: 'ok' })
    }
    outcomes.push(await harness.send('verifyEmailOtp', { input: { email: other, code: '123456' } }))
    const shown = [lines.join(''), JSON.stringify(outcomes.map(({ message: text }) => text))].join('')
    expect(lines.length).toBeGreaterThan(4)
    for (const secret of [email, other, `"${code}"`, account.address, signedBytes, sessionUrl, harness.webhookSecret])
      expect(shown).not.toContain(secret)
  })
})
