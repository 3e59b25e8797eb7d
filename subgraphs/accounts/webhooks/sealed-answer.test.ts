import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startReceiver } from '../../../test/harness/receiver.js'
import { startWebhooksHarness } from '../../../test/harness/webhooks.js'
import { keyRing, type KeyRing } from '../../../kernel/encryption.js'
import { WEBHOOK_SECRETS } from '../deps.js'
import { publishEvent } from './publish-event.js'
import { resealAnswers } from './reseal-answers.js'
import { openAnswer } from './sealed-answer.js'
import { storedAnswers } from './store/stored-answers.js'

const harness = await startWebhooksHarness()
const newRing = keyRing([randomBytes(32)], WEBHOOK_SECRETS)
const both = { ...newRing, keys: new Map([...newRing.keys, ...harness.keyRing.keys]) }
const reseal = (ring: KeyRing) => resealAnswers({ keyRing: ring, storedAnswers: storedAnswers(harness.db) })

/** An event whose receiver answered a text. */
async function answered(text: string) {
  const { url } = await startReceiver((_message, response) => void response.writeHead(200).end(text))
  const event = harness.event()
  await publishEvent(harness.depsFor(url), event)
  const read = async () => {
    const [attempt] = (await harness.deliveriesOf(event))[0]?.attempts ?? []
    if (!attempt) throw new Error('there is no attempt')
    return attempt
  }
  return { event, read, attempt: await read() }
}

describe('what a receiver answered', () => {
  it('lies sealed in the database, and opens at no other attempt', async () => {
    const { event, attempt } = await answered('thanks, Maria')
    const rows = await harness.rows('select * from accounts.webhook_attempt where tenant_id = $1', [event.tenantId])
    expect(JSON.stringify(rows)).not.toContain('Maria')
    expect(attempt.sealedResponse).toMatch(/^v1\./)
    expect(openAnswer(harness.keyRing, attempt)).toBe('thanks, Maria')
    expect(() => openAnswer(harness.keyRing, { ...attempt, number: 2 })).toThrow()
    expect(() => openAnswer(harness.keyRing, { ...attempt, tenantId: 'another' })).toThrow()
  })

  it('is read as it was stored before answers were sealed, and sealed by a rotation', async () => {
    const { event, read } = await answered('thanks')
    await harness.rows(
      `update accounts.webhook_attempt set sealed_response = null, response_body = 'of before' where tenant_id = $1`,
      [event.tenantId],
    )
    expect(openAnswer(harness.keyRing, await read())).toBe('of before')
    expect(await reseal(harness.keyRing)).toEqual({ count: 1, notOpened: [] })
    expect(await read()).toMatchObject({ responseBody: null, sealedResponse: expect.stringMatching(/^v1\./) as string })
    expect(openAnswer(harness.keyRing, await read())).toBe('of before')
  })

  it('is sealed again with another key, and named where no key opens it', async () => {
    const { event, read, attempt } = await answered('thanks')
    const named = { tenantId: event.tenantId, deliveryId: attempt.deliveryId, number: 1 }
    expect((await reseal(newRing)).notOpened).toContainEqual(named)
    expect((await read()).sealedResponse).toBe(attempt.sealedResponse)
    expect((await reseal(both)).notOpened).toEqual([])
    expect(openAnswer(newRing, await read())).toBe('thanks')
    expect(await reseal(newRing)).toEqual({ count: 0, notOpened: [] })
  })
})
