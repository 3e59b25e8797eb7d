import { describe, expect, it } from 'vitest'
import { privateKeyToAccount, generatePrivateKey } from 'viem/accounts'
import { pino } from 'pino'
import { startKycHarness } from '../../test/harness/kyc.js'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const world = await startKycHarness({ log })

describe('the log', () => {
  it('names no address, code, wallet, signature or page, whatever goes right or wrong', async () => {
    const email = await world.provedEmail()
    const [code = ''] = await world.codes(email)
    const { session } = await world.must('createKycSession', { input: { email } })
    const { sessionUrl, sessionId } = session as { sessionUrl: string; sessionId: string }
    await world.decide(sessionId, { status: 'Approved' })
    const account = privateKeyToAccount(generatePrivateKey())
    const { message } = await world.must('createWalletChallenge', { input: { wallet: account.address } })
    const signedBytes = await account.signMessage({ message: String(message) })
    await world.must('prepareWalletKyc', { input: { message, signedBytes } })
    const other = world.newEmail()
    await world.must('prepareKyc', { input: { email: other } })
    const outcomes = []
    for (const mode of ['error', 'down']) {
      await world.fault('mail', { mode, times: 1 })
      outcomes.push(await world.send('sendEmailOtp', { input: { email: other } }))
      await world.fault('provider', { mode })
      world.clock.advance(2 * 86_400_000)
      await world.must('kycRecord', { email })
      await world.fault('provider', { mode: 'ok' })
    }
    outcomes.push(await world.send('verifyEmailOtp', { input: { email: other, code: '123456' } }))
    const shown = [lines.join(''), JSON.stringify(outcomes.map(({ message: text }) => text))].join('')
    expect(lines.length).toBeGreaterThan(4)
    for (const secret of [email, other, `"${code}"`, account.address, signedBytes, sessionUrl, world.webhookSecret])
      expect(shown).not.toContain(secret)
  })
})
