import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import { startKycHarness } from '../../test/harness/kyc.js'
import { serve } from '../../test/harness/serve.js'
import { until } from '../../test/harness/until.js'

/** Calls that wait for the provider's answer, in their order. */
const waiting: ServerResponse[] = []
let begun = 0

/** A provider that answers when a test says so, and knows of one session at a time. */
const provider = await serve((request, response) => {
  request.resume()
  waiting.push(response)
})
const harness = await startKycHarness({ providerUrl: provider.url })

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const session = (id: string) => ({ session_id: id, url: `https://provider.example.com/${id}`, status: 'Not Started' })

/** Two requests for the same person, both waiting for the provider: the first has reserved the slot. */
async function doubleClick() {
  waiting.length = 0
  const email = await harness.provedEmail()
  const ask = () => harness.send('createKycSession', { input: { email } })
  const first = ask()
  await until('the first request waits', () => Promise.resolve(waiting.length === 1))
  const second = ask()
  await until('the second request waits', () => Promise.resolve(waiting.length === 2))
  const [ofFirst, ofSecond] = waiting as [ServerResponse, ServerResponse]
  const { id } = await harness.must('kycRecord', { email })
  const slots = () => harness.query('select provider_session_id as id from kyc.session where person_id = $1', [id])
  return { ask, first, second, ofFirst, ofSecond, slots }
}

it.each(['first', 'second'] as const)(
  'a session that the provider begins for one of two requests is opened, where it has refused the other: the %s',
  async (refused) => {
    const { first, second, ofFirst, ofSecond, slots } = await doubleClick()
    const isFirst = refused === 'first'
    const id = `session-${(begun += 1)}`
    answer(isFirst ? ofFirst : ofSecond, 403, {})
    expect((await (isFirst ? first : second)).code).toBe('PROVIDER_UNAVAILABLE')
    expect(await slots()).toEqual(isFirst ? [] : [{ id: null }])
    answer(isFirst ? ofSecond : ofFirst, 201, session(id))
    const opened = await (isFirst ? second : first)
    expect(opened.code).toBeUndefined()
    expect(opened.answer).toMatchObject({ message: 'KYC_SESSION_CREATED' })
    expect(await slots()).toEqual([{ id }])
  },
)

it('two requests that are given one session, after a third gave their slot back, open it once', async () => {
  const { ask, first, second, ofFirst, ofSecond, slots } = await doubleClick()
  answer(ofFirst, 403, {})
  await first
  const third = ask()
  await until('the third request waits', () => Promise.resolve(waiting.length === 3))
  const id = `session-${(begun += 1)}`
  for (const response of [ofSecond, waiting[2] as ServerResponse]) answer(response, 201, session(id))
  const messages = (await Promise.all([second, third])).map((given) => given.answer?.['message'])
  expect(messages.toSorted()).toEqual(['KYC_SESSION_CREATED', 'KYC_SESSION_RESUMED'])
  expect(await slots()).toEqual([{ id }])
})

it('a slot of two requests that are both refused is given back', async () => {
  const { ask, first, second, ofFirst, ofSecond, slots } = await doubleClick()
  for (const response of [ofFirst, ofSecond]) answer(response, 400, {})
  await Promise.all([first, second])
  expect(await slots()).toEqual([])
  const next = ask()
  await until('the next request waits', () => Promise.resolve(waiting.length === 3))
  const id = `session-${(begun += 1)}`
  answer(waiting[2] as ServerResponse, 201, session(id))
  expect((await next).answer).toMatchObject({ message: 'KYC_SESSION_CREATED' })
  expect(await slots()).toEqual([{ id }])
})

it('an approval that comes while a session of another kind is begun is not lost to that', async () => {
  waiting.length = 0
  const email = await harness.provedEmail()
  const personId = `session-${(begun += 1)}`
  const person = harness.send('createKycSession', { input: { email } })
  await until('the first request waits', () => Promise.resolve(waiting.length === 1))
  answer(waiting[0] as ServerResponse, 201, session(personId))
  await person
  const company = harness.send('createKycSession', { input: { email, subjectKind: 'COMPANY' } })
  await until('the second request waits', () => Promise.resolve(waiting.length === 2))
  const approved = await harness.query(
    `update kyc.person as person set status = 'approved', approved_until = now() + interval '1 year'
      from kyc.session as session where session.id = person.session_id and session.provider_session_id = $1 returning 1 as one`,
    [personId],
  )
  expect(approved).toHaveLength(1)
  answer(waiting[1] as ServerResponse, 201, session(`session-${(begun += 1)}`))
  expect((await company).answer).toMatchObject({ message: 'KYC_ALREADY_APPROVED', session: { sessionId: personId } })
  expect(await harness.must('kycStanding', { email })).toEqual({ state: 'APPROVED' })
})
