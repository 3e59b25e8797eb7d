import { numberToHex, parseTransaction, type Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshAddress } from '../../test/harness/evm.js'
import { refusal } from '../../test/harness/refusal.js'
import { readFees } from '../evm/fees.js'
import type { EvmAccount } from './evm-account.js'
import { Crash, startAccountHarness, type Row } from './fixtures/account-harness.js'
import { followAccount } from './follow-account.js'
import { sendFrom } from './send-from.js'

const harness = await startAccountHarness()
const { proxy, disk, alerts, account, callTo, received, rowOf, mined } = harness
const { address } = harness.operator
/** Until what was written down is old enough for its purpose to be looked at. */
const growOld = () => harness.pass(5)
afterEach(async () => {
  proxy.onCall = () => 'pass'
  await harness.anvil.setAutomine(true)
})

describe('an account of ours', () => {
  for (const at of ['findOpen', 'nextNonce', 'add', 'send']) {
    for (const side of ['before', 'after'] as const) {
      it(`sends once where its process dies ${side} ${at}, and the next one is asked for the same`, async () => {
        const purpose = `dies ${side} ${at}`
        const to = freshAddress()
        await expect(sendFrom(account({ at, side }), purpose, callTo(to))).rejects.toThrow(Crash)
        growOld()
        expect(await sendFrom(account(), purpose, callTo(to))).not.toBe('busy')
        await mined(purpose)
        expect(await received(to)).toBe(3n)
        expect(disk.filter((row) => row.purpose === purpose)).toHaveLength(1)
      })
    }
  }

  it('sends nothing more for a purpose that was mined since its caller looked, wherever it dies', async () => {
    const to = freshAddress()
    await sendFrom(account(), 'mined', callTo(to))
    await mined('mined')
    growOld()
    await expect(sendFrom(account({ at: 'markFinal', side: 'after' }), 'mined', callTo(to))).rejects.toThrow(Crash)
    expect(rowOf('mined')?.state).toBe('final')
    expect(await received(to)).toBe(3n)
  })

  it('signs nothing for a purpose that was sent and mined while its caller waited for its turn', async () => {
    const to = freshAddress()
    const waiting: EvmAccount = {
      ...account(),
      exclusively: async (prepare, work) => {
        const prepared = await prepare()
        await sendFrom(account(), 'raced', callTo(to))
        await mined('raced')
        growOld()
        // Somebody else finds it mined.
        await sendFrom(account(), 'another', callTo(freshAddress()))
        expect(rowOf('raced')?.state).toBe('final')
        return account().exclusively(() => Promise.resolve(prepared), work)
      },
    }
    expect(await sendFrom(waiting, 'raced', callTo(to))).toBe('sent')
    expect(disk.filter(({ purpose }) => purpose === 'raced')).toHaveLength(1)
    await mined('another')
    expect(await received(to)).toBe(3n)
  })

  it('takes no turn for what nodes know, however long it waits for its block', async () => {
    await harness.anvil.setAutomine(false)
    await sendFrom(account(), 'first', callTo(freshAddress()))
    await sendFrom(account(), 'second', callTo(freshAddress()))
    harness.pass(30)
    const asked: EvmAccount = { ...account(), exclusively: () => Promise.reject(new Error('it took a turn')) }
    expect(await sendFrom(asked, 'second', callTo(freshAddress()))).toBe('pending')
    await harness.anvil.mine({ blocks: 1 })
    await expect(sendFrom(asked, 'second', callTo(freshAddress()))).rejects.toThrow('it took a turn')
    await sendFrom(account(), 'second', callTo(freshAddress()))
  })

  it('sends again what a process with a clock that was ahead has written down and not sent', async () => {
    const to = freshAddress()
    harness.pass(3_600)
    await expect(sendFrom(account({ at: 'send', side: 'before' }), 'ahead', callTo(to))).rejects.toThrow(Crash)
    harness.pass(-3_600)
    expect(await sendFrom(account(), 'ahead', callTo(to))).toBe('pending')
    await mined('ahead')
    expect(await received(to)).toBe(3n)
  })

  for (const side of ['before', 'after'] as const) {
    it(`raises fees on the same nonce, and one version lands, where it dies ${side} writing the other down`, async () => {
      const purpose = `slow ${side}`
      const to = freshAddress()
      await harness.anvil.setAutomine(false)
      await sendFrom(account(), purpose, callTo(to))
      const first = rowOf(purpose)
      harness.pass(61)
      await expect(sendFrom(account({ at: 'replace', side }), purpose, callTo(to))).rejects.toThrow(Crash)
      await sendFrom(account(), purpose, callTo(to))
      expect(rowOf(purpose)).toMatchObject({ nonce: first?.nonce })
      expect(rowOf(purpose)?.hash).not.toBe(first?.hash)
      await harness.anvil.mine({ blocks: 1 })
      expect(await received(to)).toBe(3n)
      expect(alerts).toContain(`${purpose} is in no block`)
    })
  }

  it('does not take a nonce twice where a node counts fewer than were signed', async () => {
    await harness.anvil.setAutomine(false)
    await sendFrom(account(), 'before', callTo(freshAddress()))
    proxy.onCall = ({ method }) => (method === 'eth_getTransactionCount' ? { answer: { result: '0x0' } } : 'pass')
    await sendFrom(account(), 'behind', callTo(freshAddress()))
    expect(rowOf('behind')?.nonce).toBe((rowOf('before')?.nonce ?? 0) + 1)
    proxy.onCall = () => 'pass'
    await harness.anvil.mine({ blocks: 1 })
  })

  it('signs nothing behind nonces that one answer counts and nobody has, and goes on where the nodes count right', async () => {
    const to = freshAddress()
    const used = await harness.client.getTransactionCount({ address })
    proxy.onCall = ({ method, params }) => {
      const isNext = method === 'eth_getTransactionCount' && params[1] === 'pending'
      return isNext ? { answer: { result: numberToHex(used + 4) } } : 'pass'
    }
    alerts.length = 0
    expect((await refusal(sendFrom(account(), 'too high', callTo(to)))).code).toBe('provider_unavailable')
    expect(rowOf('too high')).toBeUndefined()
    expect(alerts).toEqual([expect.stringContaining(`counts ${used + 4} transactions`)])
    proxy.onCall = () => 'pass'
    expect(await sendFrom(account(), 'too high', callTo(to))).toBe('sent')
    expect(rowOf('too high')?.nonce).toBe(used)
    await mined('too high')
    expect(await received(to)).toBe(3n)
  })

  it('takes no nonce of what was sent before a restore: it waits until that is confirmed, and signs behind it', async () => {
    const [lost, to] = [freshAddress(), freshAddress()]
    await harness.anvil.setAutomine(false)
    await sendFrom(account(), 'lost with the database', callTo(lost))
    const rows = disk.splice(-1)
    expect((await refusal(sendFrom(account(), 'after', callTo(to)))).code).toBe('provider_unavailable')
    expect(rowOf('after')).toBeUndefined()
    await harness.anvil.mine({ blocks: 1 })
    expect(await sendFrom(account(), 'after', callTo(to))).toBe('sent')
    expect(rowOf('after')?.nonce).toBe((rows[0]?.nonce ?? 0) + 1)
    await harness.anvil.mine({ blocks: 1 })
    expect([await received(lost), await received(to)]).toEqual([3n, 3n])
    // The tests behind this one count all that was sent.
    disk.push(...rows)
  })

  it('frees the nonce of what no node will ever take, tells why, and lets the purpose have another', async () => {
    const to = freshAddress()
    let refusals = 1
    proxy.onCall = ({ method }) => {
      if (method !== 'eth_sendRawTransaction' || refusals === 0) return 'pass'
      refusals -= 1
      return { answer: { error: { code: -32000, message: 'exceeds block gas limit' } } }
    }
    expect((await refusal(sendFrom(account(), 'refused', callTo(to)))).code).toBe('broadcast_rejected')
    const freed = disk.at(-1)
    expect(freed?.purpose).toBe(`free:${freed?.nonce}`)
    await mined(freed?.purpose ?? '')
    expect(await sendFrom(account(), 'refused', callTo(to))).toBe('sent')
    await mined('refused')
    expect(await received(to)).toBe(3n)
  })

  describe('that holds little', () => {
    const held = () => harness.client.getBalance({ address })
    const hold = (value: bigint) => harness.anvil.setBalance({ address, value })
    let before = 0n
    beforeEach(async () => {
      before = await held()
      alerts.length = 0
    })
    afterEach(() => hold(before))

    it('spares a call no more gas than it can pay for, so that what is behind it is mined', async () => {
      const [greedy, to] = [freshAddress(), freshAddress()]
      const { maxFeePerGas } = await readFees(harness.client)
      await hold(1_000_000n * maxFeePerGas)
      await sendFrom(account(), 'spared', { ...callTo(greedy), gasSpare: 5_900_000n })
      await mined('spared')
      const { gas = 0n } = parseTransaction(rowOf('spared')?.raw as Hex)
      expect(gas).toBeGreaterThan(400_000n)
      await sendFrom(account(), 'behind the spared', callTo(to))
      await mined('behind the spared')
      expect([await received(greedy), await received(to)]).toEqual([3n, 3n])
    })

    it('tells of a call that waits for long, while those that take less go before it', async () => {
      const to = freshAddress()
      const { maxFeePerGas } = await readFees(harness.client)
      const big = () => sendFrom(account(), 'big', { ...callTo(to), value: 85_000n * maxFeePerGas })
      await harness.anvil.setAutomine(false)
      for (const small of ['small', 'another small', 'the last small']) {
        await hold(130_000n * maxFeePerGas)
        await sendFrom(account(), small, callTo(freshAddress()))
        expect(alerts).toEqual([])
        expect((await refusal(big())).code).toBe('provider_unavailable')
        await harness.anvil.mine({ blocks: 1 })
        harness.pass(31)
      }
      expect(alerts).toEqual([expect.stringMatching(/^big waits for coin since 62 s: the account holds enough for/)])
      await hold(before)
      expect(await big()).toBe('sent')
      await harness.anvil.mine({ blocks: 1 })
      expect(await received(to)).toBe(85_000n * maxFeePerGas)
    })

    it('takes no nonce for a call that it cannot pay for, tells so, and sends it once there is coin', async () => {
      const to = freshAddress()
      const { maxFeePerGas } = await readFees(harness.client)
      await hold(20_000n * maxFeePerGas)
      const { code, details } = await refusal(sendFrom(account(), 'poor', callTo(to)))
      expect([code, details]).toEqual(['broadcast_rejected', expect.stringMatching(/^insufficient funds/)])
      expect(rowOf('poor')).toBeUndefined()
      expect(alerts).toEqual([details])
      await hold(before)
      await sendFrom(account(), 'poor', callTo(to))
      await mined('poor')
      expect(await received(to)).toBe(3n)
    })
  })

  it('sends the stored bytes again, the lowest nonce first, where a reorganisation has dropped them', async () => {
    await harness.anvil.mine({ blocks: 1 })
    const [one, two] = [freshAddress(), freshAddress()]
    const before = await harness.anvil.getBlockNumber()
    for (const [purpose, to] of [
      ['one', one],
      ['two', two],
    ] as const) {
      await sendFrom(account(), purpose, callTo(to))
      await mined(purpose)
    }
    growOld()
    // It finds them mined.
    await sendFrom(account(), 'two', callTo(two))
    const depth = Number((await harness.anvil.getBlockNumber()) - before)
    await harness.anvil.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    expect(await received(one)).toBe(0n)
    const ended: string[] = []
    const end = (row: Row): Promise<void> => {
      ended.push(row.purpose)
      row.isFollowed = false
      return Promise.resolve()
    }
    proxy.calls.length = 0
    await followAccount(account(), end)
    const sent = proxy.calls.flatMap(({ method, params }) => (method === 'eth_sendRawTransaction' ? params[0] : []))
    expect(sent).toEqual([rowOf('one')?.raw, rowOf('two')?.raw])
    await mined('two')
    expect([await received(one), await received(two)]).toEqual([3n, 3n])
    await harness.anvil.mine({ blocks: 1 })
    await followAccount(account(undefined, { finalityBlocks: 2 }), end)
    expect(ended).toEqual(expect.arrayContaining(['one', 'two']))
    expect(await harness.client.getTransactionCount({ address })).toBe(disk.length)
  })

  it('sends what a reorganisation has dropped before anything behind it, also where nobody follows the account', async () => {
    await harness.anvil.mine({ blocks: 1 })
    const [lost, next] = [freshAddress(), freshAddress()]
    const before = await harness.anvil.getBlockNumber()
    await sendFrom(account(), 'lost', callTo(lost))
    await mined('lost')
    growOld()
    await sendFrom(account(), 'lost', callTo(lost))
    await harness.anvil.setAutomine(false)
    await sendFrom(account(), 'behind it', callTo(freshAddress()))
    const depth = Number((await harness.anvil.getBlockNumber()) - before)
    await harness.anvil.request({ method: 'anvil_reorg', params: [depth, []] } as never)
    harness.pass(61)
    alerts.length = 0
    await sendFrom(account(), 'next', callTo(next))
    await harness.anvil.mine({ blocks: 1 })
    expect([await received(lost), await received(next)]).toEqual([3n, 3n])
    // What waits behind it is not dearer for that.
    expect(alerts).toEqual([])
    expect(await harness.client.getTransactionCount({ address })).toBe(disk.length)
  })
})
