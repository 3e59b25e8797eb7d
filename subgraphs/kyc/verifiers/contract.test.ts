import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adjustableClock } from '../../../kernel/clock.js'
import { createLog } from '../../../kernel/log.js'
import { startKycSimulator } from '../../../sandbox/kyc/simulator.js'
import { KYC_STATUSES } from '../domain/kyc-status.js'
import { VERIFIERS } from './registry.js'
import { CallbackRefused, type Verifier } from './verifier.js'

/** What of a vendor's simulator the suite needs: a new vendor adds its line to `SIMULATORS`. */
interface VendorSimulator {
  url: string
  /** Has a session come to a positive end. */
  approve: (sessionId: string) => Promise<void>
  fail: (mode: 'error' | 'ok') => Promise<void>
  close: () => Promise<void>
}

const clock = adjustableClock()
const SETTINGS = { apiKey: 'the-api-key', webhookSecret: 'the-webhook-secret', workflowIds: { person: 'for-people' } }

const SIMULATORS: Readonly<Record<string, () => Promise<VendorSimulator>>> = {
  didit: async () => {
    const simulator = await startKycSimulator({ port: 0, clock, ...SETTINGS, workflowIds: ['for-people'] })
    const post = async (path: string, body: object): Promise<void> => {
      const headers = { 'content-type': 'application/json' }
      await fetch(`${simulator.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    }
    return {
      url: simulator.url,
      approve: (id) => post(`/sandbox/session/${id}/decide`, { status: 'Approved' }),
      fail: (mode) => post('/sandbox/faults', { mode }),
      close: () => simulator.close(),
    }
  },
}

describe.each(VERIFIERS.map((definition) => [definition.name, definition] as const))(
  'the verifier %s',
  (name, definition) => {
    let simulator: VendorSimulator
    let verifier: Verifier
    const lines: string[] = []
    const verifierWith = (changes: object = {}): Verifier => {
      const log = createLog('silent')
      for (const level of ['debug', 'info', 'warn', 'error'] as const)
        log[level] = ((...parts: unknown[]) => void lines.push(JSON.stringify(parts))) as typeof log.info
      return definition.create({ baseUrl: simulator.url, ...SETTINGS, timeoutMs: 5_000, clock, log, ...changes })
    }
    beforeAll(async () => {
      const start = SIMULATORS[name]
      if (!start) throw new Error(`nothing simulates ${name}`)
      simulator = await start()
      verifier = verifierWith()
    })
    afterAll(() => simulator.close())

    it('gives the unfinished session of the same subject again, and another to another', async () => {
      const request = { subjectRef: `c-${name}-1`, kind: 'person' } as const
      const first = await verifier.createOrResumeSession(request)
      expect(first).toMatchObject({ status: 'pending', url: expect.stringMatching(/^http/) })
      expect(await verifier.createOrResumeSession(request)).toEqual(first)
      const other = await verifier.createOrResumeSession({ ...request, subjectRef: `c-${name}-2` })
      expect(other.sessionId).not.toBe(first.sessionId)
    })

    it('tells of a session in our words, and begins another after it has ended', async () => {
      const request = { subjectRef: `c-${name}-3`, kind: 'person' } as const
      const { sessionId } = await verifier.createOrResumeSession(request)
      const decision = await verifier.getDecision(sessionId)
      expect(decision).toMatchObject({ status: 'pending', ipInfo: [], isBlocklisted: false })
      await simulator.approve(sessionId)
      const approved = await verifier.getDecision(sessionId)
      expect(approved?.status).toBe('approved')
      expect(KYC_STATUSES).toContain(approved?.status)
      expect(approved?.ipInfo).toHaveLength(1)
      expect((await verifier.createOrResumeSession(request)).sessionId).not.toBe(sessionId)
    })

    it('forgets a session, and does not mind forgetting it twice', async () => {
      const { sessionId } = await verifier.createOrResumeSession({ subjectRef: `c-${name}-4`, kind: 'person' })
      await verifier.deleteSession(sessionId)
      await verifier.deleteSession(sessionId)
      expect(await verifier.getDecision(sessionId)).toBeUndefined()
    })

    it('verifies only the kinds of subjects that it has a workflow for', () => {
      expect(verifier.verifies('person')).toBe(true)
      expect(verifier.verifies('company')).toBe(false)
    })

    it('turns every failure of the provider into ours, and never logs a credential', async () => {
      await simulator.fail('error')
      await expect(verifier.getDecision('any')).rejects.toMatchObject({ code: 'provider_unavailable' })
      await simulator.fail('ok')
      const stranger = verifierWith({ apiKey: 'wrong-api-key' })
      const request = { subjectRef: 'c', kind: 'person' } as const
      await expect(stranger.createOrResumeSession(request)).rejects.toMatchObject({ code: 'provider_unavailable' })
      const unreachable = verifierWith({ baseUrl: 'http://127.0.0.1:1' })
      await expect(unreachable.createOrResumeSession(request)).rejects.toMatchObject({ code: 'provider_unavailable' })
      const text = lines.join('\n')
      expect(text).not.toBe('')
      for (const secret of [SETTINGS.apiKey, 'wrong-api-key', SETTINGS.webhookSecret])
        expect(text).not.toContain(secret)
    })

    it('refuses callbacks without a signature', () => {
      for (const body of ['', '{}', '[]', 'text', '{"session_id":"s"}'])
        expect(() => verifier.readCallback(Buffer.from(body), {})).toThrow(CallbackRefused)
    })
  },
)
