import { afterEach, describe, expect, it } from 'vitest'
import { freshAddress } from '../../test/harness/evm.js'
import type { RpcFate } from '../../test/harness/rpc-proxy.js'
import { startAccountHarness } from './fixtures/account-harness.js'
import { sendFrom } from './send-from.js'

const harness = await startAccountHarness()
const { proxy, alerts, account, callTo, received, rowOf, mined } = harness
afterEach(() => {
  proxy.onCall = () => 'pass'
})

describe('an account whose transaction is in no block for long', () => {
  it.each<[string, RpcFate]>([
    ['an internal error', { answer: { error: { code: -32603, message: 'Internal error' } } }],
    ['an internal error in its own words', { answer: { error: { code: -32603, message: 'it broke' } } }],
    ['nothing', 'cut'],
  ])('raises no fees of what no node has, however long one answers to it %s', async (answer, fate) => {
    const purpose = `answered ${answer}`
    const to = freshAddress()
    proxy.onCall = ({ method }) => (method === 'eth_sendRawTransaction' ? fate : 'pass')
    await sendFrom(account(), purpose, callTo(to))
    const hash = rowOf(purpose)?.hash
    alerts.length = 0
    for (let minute = 0; minute < 3; minute += 1) {
      harness.pass(61)
      expect(await sendFrom(account(), purpose, callTo(to))).toBe('pending')
    }
    expect(rowOf(purpose)).toMatchObject({ purpose, hash })
    expect(alerts).toEqual(Array.from({ length: 3 }, () => `${purpose} is in no block`))
    proxy.onCall = () => 'pass'
    await sendFrom(account(), purpose, callTo(to))
    await mined(purpose)
    expect(rowOf(purpose)?.hash).toBe(hash)
    expect(await received(to)).toBe(3n)
  })

  it.each([
    ['as too cheap', { code: -32000, message: 'max fee per gas less than block base fee' }],
    ['as below its minimum', { code: -32009, message: 'Gas price below configured minimum gas price' }],
    ['as known', { code: -32000, message: 'already known' }],
    ['as one for which it has no room', { code: -32000, message: 'txpool is full' }],
  ])('raises the fees of what a node answers %s, though it shows it to nobody', async (how, error) => {
    const purpose = `answered ${how}`
    const to = freshAddress()
    proxy.onCall = ({ method }) => (method === 'eth_sendRawTransaction' ? { answer: { error } } : 'pass')
    await sendFrom(account(), purpose, callTo(to)).catch(() => undefined)
    const hash = rowOf(purpose)?.hash
    harness.pass(61)
    await sendFrom(account(), purpose, callTo(to)).catch(() => undefined)
    expect(rowOf(purpose)?.hash).not.toBe(hash)
    proxy.onCall = () => 'pass'
    harness.pass(5)
    await sendFrom(account(), purpose, callTo(to))
    await mined(purpose)
    expect(await received(to)).toBe(3n)
  })

  it('raises the fees of what only uses its nonce up, for whatever it is refused: everything waits behind it', async () => {
    const error = { code: -32000, message: 'words that nobody knows' }
    proxy.onCall = ({ method }) => (method === 'eth_sendRawTransaction' ? { answer: { error } } : 'pass')
    await sendFrom(account(), 'refused', callTo(freshAddress())).catch(() => undefined)
    const freeing = harness.disk.at(-1)
    expect(freeing?.purpose).toMatch(/^free:/)
    harness.pass(61)
    const to = freshAddress()
    await sendFrom(account(), 'behind it', callTo(to)).catch(() => undefined)
    expect(rowOf(freeing?.purpose ?? '')?.hash).not.toBe(freeing?.hash)
    proxy.onCall = () => 'pass'
    for (let turn = 0; turn < 2; turn += 1) {
      harness.pass(5)
      await sendFrom(account(), 'behind it', callTo(to))
    }
    await mined('behind it')
    expect(await received(to)).toBe(3n)
  })
})
